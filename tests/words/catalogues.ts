import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { texts } from '../../src/kit/words/catalogue.ts'
import { sources } from '../architecture/sources.ts'

const root = resolve(import.meta.dirname, '../../src')

export interface Catalogue {
  path: string
  english: Record<string, string>
  say(key: string, values: Record<string, string | number>): string
}

/** Where texts for people stand: `words.ts`, and the files of a folder `words/` that build a catalogue. */
export const isWords = (path: string): boolean => /(^|\/)words(\/[\w-]+)?\.(ts|js)$/.test(path)

/** Every catalogue of src/. */
export const catalogues: Catalogue[] = (
  await Promise.all(
    sources
      .filter(({ path, text }) => isWords(path) && /\bcatalogue\(/.test(text) && !path.startsWith('kit/words/'))
      .map(async ({ path }) => {
        const module: Record<string, unknown> = await import(pathToFileURL(resolve(root, path)).href)
        return Object.values(module).flatMap((words) => {
          const english = (words as { [texts]?: Record<string, string> })?.[texts]
          const say = (key: string, values: Record<string, string | number>) =>
            (words as Record<string, (values: object) => string>)[key]?.(values) ?? ''
          return english === undefined ? [] : [{ path, english, say }]
        })
      }),
  )
).flat()
