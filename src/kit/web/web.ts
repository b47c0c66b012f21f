import { foreignNames, type Resolve } from '../net/foreign-names.ts'
import { type IsAllowed, isForeign } from './places.ts'
import type { ReadPage, Web } from './port.ts'
import { type SearchOptions, searcherOf } from './search/searcher.ts'

export interface WebOptions {
  /** The bot's: part of the user agent. */
  version: string
  /** HTML to Markdown, in a process of its own. */
  readPage: ReadPage
  /** Undefined: there is no web search. */
  search: SearchOptions | undefined
  /** Names to addresses; by default as the system does it. Called once for each hop; whatever it returns is checked. */
  resolve?: Resolve
  /** What may be connected to; by default public addresses of other machines. */
  isAllowed?: IsAllowed
  /** Called with each address right before it is dialled. */
  dialling?: (address: string, port: number) => void
}

/** Throws `bad_setting` if search is configured in a way that can't work. Keeps nothing open. */
export function openWeb(options: WebOptions): Web {
  const { version, readPage, search, resolve = foreignNames, isAllowed = isForeign, dialling } = options
  const userAgent = `Bobbin/${version}`
  const searcher = search === undefined ? undefined : searcherOf(search)
  // The HTTP client is large, and many bots never fetch anything.
  return {
    async fetch(url, fetchOptions) {
      const { fetchFrom } = await import('./fetch.ts')
      return fetchFrom(url, { userAgent, resolve, isAllowed, dialling }, fetchOptions)
    },
    async send(url, sendOptions) {
      const { sendTo } = await import('./send.ts')
      return sendTo(url, { userAgent, resolve, isAllowed, dialling }, sendOptions)
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
