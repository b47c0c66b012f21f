/** One way to ask a provider. `body` makes it a POST. */
export interface Asking {
  url: URL
  headers: Record<string, string>
  body?: Record<string, unknown>
}

export interface Provider {
  /** The address of its API; undefined if everybody runs their own. */
  url: string | undefined
  needsKey: boolean
  /** `most` is 1 to 20. */
  asking(endpoint: URL, query: string, most: number, key: string | undefined): Asking
  /** Keys that lead to the list of results in the answer. */
  list: string[]
  /** The key of a result's text. */
  snippet: string
  /** The key of a list of engines that it asked in vain, each a name and a reason. */
  silent?: string
  /** How it says with 422 that nothing was found. */
  nothing?: RegExp
}

/** As the providers document them, November 2026. */
export const providers: Record<'searxng' | 'brave' | 'tavily' | 'jina', Provider> = {
  // https://docs.searxng.org/dev/search_api.html: it takes no number of results. A key is for a proxy in front of it.
  searxng: {
    url: undefined,
    needsKey: false,
    asking: (endpoint, query, _, key) => ({
      url: withQuery(below(endpoint, 'search'), { q: query, format: 'json' }),
      headers: bearer(key),
    }),
    list: ['results'],
    snippet: 'content',
    silent: 'unresponsive_engines',
  },
  // https://api-dashboard.search.brave.com/api-reference/web/search/get: 1 to 20 results.
  brave: {
    url: 'https://api.search.brave.com/res/v1',
    needsKey: true,
    asking: (endpoint, query, most, key) => ({
      url: withQuery(below(endpoint, 'web/search'), {
        q: query,
        count: String(most),
        text_decorations: 'false',
        result_filter: 'web',
      }),
      headers: { 'x-subscription-token': key ?? '' },
    }),
    list: ['web', 'results'],
    snippet: 'description',
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search: 0 to 20 results.
  tavily: {
    url: 'https://api.tavily.com',
    needsKey: true,
    asking: (endpoint, query, most, key) => ({
      url: below(endpoint, 'search'),
      headers: bearer(key),
      body: { query, max_results: most },
    }),
    list: ['results'],
    snippet: 'content',
  },
  // https://jina.ai/reader: without `no-content` it would fetch every page that it found.
  jina: {
    url: 'https://s.jina.ai',
    needsKey: true,
    asking: (endpoint, query, most, key) => ({
      url: below(endpoint, ''),
      headers: { ...bearer(key), 'x-respond-with': 'no-content' },
      body: { q: query, num: most },
    }),
    list: ['data'],
    snippet: 'description',
    nothing: /"No search results available/,
  },
}

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

function below(endpoint: URL, path: string): URL {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url
}

function withQuery(url: URL, query: Record<string, string>): URL {
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}
