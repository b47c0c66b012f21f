import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { texts } from '../../src/kit/words/catalogue.ts'
import * as page from '../../src/platforms/console/public/words.js'
import { sources } from '../architecture/sources.ts'

const root = resolve(import.meta.dirname, '../../src')

type Said = Record<string, (values: object) => string>

export interface Catalogue {
  path: string
  english: Record<string, string>
  say(key: string, values: Record<string, string | number>): string
}

/** Where texts for people stand: `words.ts`, and the files of a folder `words/` that build a catalogue. */
export const isWords = (path: string): boolean => /(^|\/)words(\/[\w-]+)?\.(ts|js)$/.test(path)

const catalogueOf = (path: string, english: Record<string, string>, words: Said): Catalogue => ({
  path,
  english,
  say: (key, values) => words[key]?.(values) ?? '',
})

async function cataloguesIn(path: string): Promise<Catalogue[]> {
  const module: Record<string, unknown> = await import(pathToFileURL(resolve(root, path)).href)
  return Object.values(module).flatMap((words) => {
    const english = (words as { [texts]?: Record<string, string> } | undefined)?.[texts]
    return english === undefined ? [] : [catalogueOf(path, english, words as Said)]
  })
}

const builders = sources.filter(
  ({ path, text }) => path.endsWith('.ts') && isWords(path) && /\bcatalogue\(/.test(text) && !path.startsWith('kit/'),
)

/** Every catalogue of src/, the console's page last. */
export const catalogues: Catalogue[] = [
  ...(await Promise.all(builders.map(({ path }) => cataloguesIn(path)))).flat(),
  catalogueOf('platforms/console/public/words.js', page.english, page.say),
]
