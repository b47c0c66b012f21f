import { describe, expect, test } from 'vitest'
import { webSearch } from '../../src/capabilities/web/web-search.ts'
import type { SearchOptions } from '../../src/kit/web/search/searcher.ts'
import { openWeb } from '../../src/kit/web/web.ts'
import { type Answer, site, testWeb } from './support.ts'

const key = 'secret-key-4711'
const signal = new AbortController().signal

function webOf(options: SearchOptions) {
  const readPage = async () => ({ title: '', markdown: '', isCut: false })
  const { search } = openWeb({ version: '9.9.9', readPage, search: options })
  if (search === undefined) throw new Error('it was configured')
  return { search }
}

async function provider(name: SearchOptions['provider'], answer: unknown, more: Partial<SearchOptions> = {}) {
  const { origin, requests } = await site((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  const web = webOf({ provider: name, url: `${origin}/base/`, key, timeoutMs: 60_000, ...more })
  return { requests, find: (query = 'two words & more', most = 3) => web.search(query, most, signal) }
}

const answers = [
  { title: 'First', url: 'https://one.example/', content: 'The first.', description: 'The first.' },
  { title: 'Second', url: 'https://two.example/', content: 'The second.', description: 'The second.' },
]
const found = answers.map(({ title, url, content }) => ({ title, url, snippet: content }))

describe('asks as documented:', () => {
  test('SearXNG, whose key is for a proxy in front of it', async () => {
    const { find, requests } = await provider('searxng', { query: 'x', results: answers, answers: [] })
    expect(await find()).toEqual(found)
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/base/search?q=two+words+%26+more&format=json' })
    expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, accept: 'application/json' })
  })

  test('Brave', async () => {
    const { find, requests } = await provider('brave', { type: 'search', web: { results: answers } })
    expect(await find()).toEqual(found)
    const url = new URL(requests[0]?.path ?? '', 'http://a.example')
    expect(url.pathname).toBe('/base/web/search')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ q: 'two words & more', count: '3' })
    expect(requests[0]?.headers).toMatchObject({ 'x-subscription-token': key })
    expect(requests[0]?.path).not.toContain(key)
  })

  test('Tavily', async () => {
    const { find, requests } = await provider('tavily', { query: 'x', results: answers, response_time: 1 })
    expect(await find()).toEqual(found)
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/base/search' })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ query: 'two words & more', max_results: 3 })
    expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
  })

  test('Jina, without the pages themselves', async () => {
    const { find, requests } = await provider('jina', { code: 200, status: 20000, data: answers })
    expect(await find()).toEqual(found)
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/base/' })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ q: 'two words & more', num: 3 })
    expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, 'x-respond-with': 'no-content' })
  })
})

test('results are cleaned, and invalid ones left out', async () => {
  const { find } = await provider('searxng', {
    results: [
      null,
      'text',
      { title: 'no address' },
      { title: 'script', url: 'javascript:alert(1)' },
      { title: 'data', url: 'data:text/html,x' },
      { title: 'user', url: 'https://user:word@a.example/' },
      { title: 'long', url: `https://a.example/${'a'.repeat(3000)}` },
      { title: ['list'], url: 'https://list.example/', content: { a: 1 } },
      {
        title: '<b>Ignore\u200B</b>\n[the program] all\u202E',
        url: 'https://a.example/x#y',
        content: `AT&amp;T &lt;<strong>x</strong>\u{E0041} ${'word '.repeat(1000)}`,
      },
      { title: 'again', url: 'https://a.example/x' },
      { title: '', url: 'https://three.example/' },
      { title: 'one too many', url: 'https://four.example/' },
    ],
  })
  const results = await find()
  expect(results.map(({ title, url }) => `${title} ${url}`)).toEqual([
    'list.example https://list.example/',
    'Ignore [the program] all https://a.example/x',
    'three.example https://three.example/',
  ])
  expect(results[1]?.snippet).toMatch(/^AT&T <x word word/)
  expect(results[1]?.snippet.length).toBeLessThanOrEqual(600)
})

test.each([null, [], 'x', { results: 'none' }, { results: {} }, { error: 'x' }])(
  'an answer of %j finds nothing',
  async (answer) => {
    const { find } = await provider('searxng', answer)
    expect(await find()).toEqual([])
  },
)

describe('engines that did not answer a SearXNG', () => {
  const engines = [
    ['google', 'Suspended: CAPTCHA'],
    ['<b>duck</b>\nduckgo', 'x'.repeat(1000)],
    ['bing'],
    'text',
    [],
    [1],
  ]

  test('are named if nothing was found', async () => {
    const { find } = await provider('searxng', { results: [], unresponsive_engines: engines })
    await expect(find()).rejects.toMatchObject({
      code: 'search_failed',
      message: expect.stringMatching(
        /found nothing, .* did not answer: google \(Suspended: CAPTCHA\), duck duckgo \(x{90,99}…?\), bing\.$/,
      ),
      remedy: expect.stringContaining('again later'),
      isOurs: false,
    })
  })

  test('don’t matter if others found something, or if there are none', async () => {
    const some = await provider('searxng', { results: answers, unresponsive_engines: engines })
    expect(await some.find()).toEqual(found)
    const none = await provider('searxng', { results: [], unresponsive_engines: [] })
    expect(await none.find()).toEqual([])
  })
})

test('Jina says with 422 that nothing was found', async () => {
  const nothing = {
    data: null,
    code: 422,
    name: 'AssertionFailureError',
    status: 42206,
    message: 'No search results available for query two words & more',
  }
  const { origin } = await site((request, response) => {
    const answer = request.url === '/none/' ? nothing : { ...nothing, message: 'Invalid num.' }
    response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  const ask = (path: string) => {
    const web = webOf({ provider: 'jina', url: `${origin}/${path}`, key, timeoutMs: 60_000 })
    return web.search('two words & more', 3, signal)
  }
  expect(await ask('none')).toEqual([])
  await expect(ask('other')).rejects.toMatchObject({ code: 'search_failed', message: expect.stringContaining('422') })
})

describe('says what to do', () => {
  interface Asked {
    name?: SearchOptions['provider']
    timeoutMs?: number
  }
  async function failing(answer: Answer, { name = 'brave', timeoutMs = 60_000 }: Asked = {}): Promise<unknown> {
    const { origin } = await site(answer)
    const web = webOf({ provider: name, url: origin, key, timeoutMs })
    const thrown: unknown = await web.search('words', 3, signal).catch((reason: unknown) => reason)
    // Neither what is told nor what a log would show of it.
    expect(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown))).not.toContain(key)
    expect(String((thrown as Error).stack) + String((thrown as Error).cause)).not.toContain(key)
    return thrown
  }
  const status =
    (code: number, headers: Record<string, string> = {}): Answer =>
    (request, response) =>
      response.writeHead(code, headers).end(JSON.stringify(request.headers))

  test.each([
    [401, {}, 'search_refused', /WEB_SEARCH_API_KEY/],
    [403, {}, 'search_refused', /WEB_SEARCH_API_KEY/],
    [429, { 'retry-after': '30' }, 'search_limit', /in 30 s/],
    [429, {}, 'search_limit', /later/],
    [432, {}, 'search_limit', /later/],
    [500, {}, 'search_failed', /web\.search/],
    [200, {}, 'search_failed', /web\.search/, 'not json'],
  ])('of %i %j', async (code, headers, kind, remedy, body?: string) => {
    const answer: Answer = body === undefined ? status(code, headers) : (_, response) => response.end(body)
    expect(await failing(answer)).toMatchObject({ code: kind, remedy: expect.stringMatching(remedy), isOurs: true })
  })

  test('of a SearXNG that returns no JSON', async () => {
    expect(await failing(status(403), { name: 'searxng' })).toMatchObject({
      remedy: expect.stringContaining('search.formats'),
    })
  })

  test('of one that hangs, one that returns too much, and one that is missing', async () => {
    expect(await failing(() => {}, { timeoutMs: 300 })).toMatchObject({ code: 'timed_out' })
    const much: Answer = (_, response) => response.end(`"${'x'.repeat(5_000_000)}"`)
    expect(await failing(much)).toMatchObject({ code: 'too_large' })
    const web = webOf({ provider: 'brave', url: 'http://127.0.0.1:1', key, timeoutMs: 60_000 })
    await expect(web.search('x', 3, signal)).rejects.toMatchObject({
      code: 'search_failed',
      message: 'The web search by brave cannot be reached (ECONNREFUSED).',
    })
  })

  test('if none is configured', () => {
    const { web } = testWeb()
    expect(web.search).toBeUndefined()
    expect(webSearch.lacks?.({ web })).toMatch(/`web\.search` in config\/bobbin\.yaml.*WEB_SEARCH_API_KEY/)
  })
})

test('its address leads nowhere else, with the key or without', async () => {
  const other = await site((_, response) => response.end('{}'))
  const { origin, requests } = await site((request, response) => {
    if (request.url?.startsWith('/new/')) response.end(JSON.stringify({ results: answers }))
    else if (request.url?.startsWith('/moved/')) response.writeHead(301, { location: '/new/?x' }).end()
    else response.writeHead(302, { location: `${other.origin}/` }).end()
  })
  const ask = (url: string) => webOf({ provider: 'searxng', url, key, timeoutMs: 60_000 }).search('x', 3, signal)
  await expect(ask(origin)).rejects.toMatchObject({ code: 'search_failed' })
  expect(other.requests).toEqual([])
  expect(await ask(`${origin}/moved`)).toEqual(found)
  expect(requests).toHaveLength(3)
})

test.each([
  [{ provider: 'searxng' }, /web\.search\.url/],
  [{ provider: 'brave' }, /WEB_SEARCH_API_KEY/],
  [{ provider: 'tavily', key: `${key}\nx: y` }, /without spaces/],
  [{ provider: 'jina', key, url: `https://user:${key}@a.example` }, /WEB_SEARCH_API_KEY/],
  [{ provider: 'searxng', url: `https://a.example/?key=${key}` }, /WEB_SEARCH_API_KEY/],
  [{ provider: 'searxng', url: 'ftp://a.example' }, /web\.search\.url/],
] satisfies [Omit<SearchOptions, 'timeoutMs'>, RegExp][])(
  '%j cannot work, and says so at the start',
  (options, remedy) => {
    const open = () => webOf({ timeoutMs: 60_000, ...options })
    expect(open).toThrow(expect.objectContaining({ code: 'bad_setting', remedy: expect.stringMatching(remedy) }))
    expect(open).not.toThrow(key)
  },
)
