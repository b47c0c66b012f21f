import { searchFile } from '../../src/capabilities/documents/search-file.ts'
import type { ToolContext } from '../../src/domain/tool.ts'
import type { Documents } from '../../src/kit/documents/document.ts'
import { type Benches, median, never, print, settings } from '../search/open.ts'
import { randomFrom } from '../search/random.ts'

const files = 300

/** What `search_file` takes in a thread of many files, and the same in one of them. */
export async function measureThread(benches: Benches, seed: number): Promise<void> {
  const { workspace, library, documents } = await benches.open('thread')
  const numbers = randomFrom(seed)
  const draw = () => numbers.below(1_000_000) / 1_000_000
  const words = Array.from({ length: 6000 }, () => wordOf(draw))
  const some = (count: number) => Array.from({ length: count }, () => words[Math.floor(draw() ** 2 * words.length)])
  for (let file = 0; file < files; file++) {
    const paragraphs = Array.from(
      { length: 40 },
      () => `<p>${some(60).join(' ')} item${Math.floor(draw() * 5000)}.</p>`,
    )
    await workspace.write(`uploads/${file}.html`, `<html><body>${paragraphs.join('\n')}</body></html>`)
  }
  const search = async (query: string, path = '.') => {
    const began = performance.now()
    await searched(documents, workspace, query, path)
    return performance.now() - began
  }
  const indexed = await search('anything')
  // One of the words of every second question is in no document.
  const questions = Array.from({ length: 60 }, (_, index) => [...some(2), index % 2 === 0 ? '' : 'qwertz'].join(' '))
  const times: number[] = []
  const alone: number[] = []
  for (const question of questions) {
    times.push(await search(question))
    alone.push(await search(question, 'uploads/7.html'))
  }
  const [all, one] = [median(times), median(alone)]
  print(
    `${files} files: indexed in ${(indexed / 1000).toFixed(1)} s; a search takes ${all.toFixed(1)} ms, median of ${times.length} (${(all / one).toFixed(1)} times that in one of them, ${one.toFixed(1)} ms)`,
  )
  library.close()
}

function searched(
  documents: Documents,
  workspace: Awaited<ReturnType<Benches['open']>>['workspace'],
  query: string,
  path: string,
) {
  const { searchResults, searchCharacters, fileBytes } = settings
  const limits = { searchResults, searchCharacters, fileBytes, outputBytes: 51_200 }
  // The tool uses no more of its context.
  const context = { workspace, documents, limits, signal: never } as unknown as ToolContext
  if (searchFile.kind !== 'run') throw new Error('search_file asks nobody')
  return searchFile.run(searchFile.input.parse({ query, path }) as never, context as never)
}

/** Of four to ten letters. */
function wordOf(draw: () => number): string {
  const letters = 'etaoinshrdlucmwfygpbvk'
  const length = 4 + Math.floor(draw() * 7)
  return Array.from({ length }, () => letters.charAt(Math.floor(draw() ** 1.5 * letters.length))).join('')
}
