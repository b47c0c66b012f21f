import { type IsAllowed, isForeign, type Resolve, resolveBySystem } from './places.ts'
import type { ReadPage, Web } from './port.ts'
import { type SearchOptions, searcherOf } from './search/searcher.ts'

export interface WebOptions {
  /** Of the bot: it says who asks. */
  version: string
  /** HTML to Markdown, in a process of its own. */
  readPage: ReadPage
  /** Undefined: there is no web search. */
  search: SearchOptions | undefined
  /** Names to addresses; the system's way unless given. Called once for each hop. */
  resolve?: Resolve
  /** What may be connected to; public addresses of other machines unless given. */
  isAllowed?: IsAllowed
  /** Told of each address right before it is dialled. */
  dialling?: (address: string, port: number) => void
}

/** Throws `bad_setting` where search is configured so that it cannot work. Holds nothing open. */
export function openWeb(options: WebOptions): Web {
  const { version, readPage, search, resolve = resolveBySystem, isAllowed = isForeign, dialling } = options
  const userAgent = `Bobbin/${version}`
  const searcher = search === undefined ? undefined : searcherOf(search)
  // The HTTP client is large, and many bots never fetch anything.
  return {
    async fetch(url, fetchOptions) {
      const { fetchFrom } = await import('./fetch.ts')
      return fetchFrom(url, { userAgent, resolve, isAllowed, dialling }, fetchOptions)
    },
    page: readPage,
    search:
      searcher &&
      (async (query, most, signal) => {
        const { askProvider } = await import('./search/ask.ts')
        return askProvider(searcher, { query, most, userAgent, signal })
      }),
  }
}
