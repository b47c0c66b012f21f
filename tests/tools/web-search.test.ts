import { expect, test } from 'vitest'
import { webSearch } from '../../src/capabilities/web/web-search.ts'
import { openWeb } from '../../src/kit/web/web.ts'
import { site } from '../web/support.ts'
import { bench } from './support.ts'
import { inspected, use } from './web-support.ts'

async function searching(results: unknown[]) {
  const { origin, requests } = await site((_, response) => response.end(JSON.stringify({ results })))
  const web = openWeb({
    version: '9.9.9',
    readPage: async () => ({ title: '', markdown: '', isCut: false }),
    search: { provider: 'searxng', url: origin, timeoutMs: 60_000 },
  })
  const { context } = await bench(
    { web: { pageBytes: 1000, downloadBytes: 1000, timeoutMs: 60_000, results: 2 } },
    { web },
  )
  return { requests, find: (input: unknown) => use(webSearch, input, context) }
}

const result = (number: number) => ({
  title: `Title ${number}`,
  url: `https://a.example/${number}`,
  content: number === 2 ? '' : `Line\none of ${number}.`,
})

test('results are numbered, each with its address, as many as are asked for', async () => {
  const { find } = await searching([1, 2, 3, 4].map(result))
  expect(await find({ query: 'x' })).toBe(
    '1. Title 1\n   https://a.example/1\n   Line one of 1.\n2. Title 2\n   https://a.example/2',
  )
  expect(await find({ query: 'x', results: 4 })).toContain('4. Title 4')
})

test('says that nothing was found', async () => {
  const { find } = await searching([])
  expect(await find({ query: 'x' })).toMatch(/^Nothing was found/)
})

test('what is sent is what was inspected: nothing hidden goes along', async () => {
  const { find, requests } = await searching([])
  const query = ' two\u200B \n words\u{E0041} '
  expect(inspected(webSearch, { query })).toMatchObject({ subjects: ['two words'], unclear: [] })
  await find({ query })
  expect(requests[0]?.path).toBe('/search?q=two+words&format=json')
})

test('without a provider it says how to get one', async () => {
  const web = openWeb({
    version: '9.9.9',
    readPage: async () => ({ title: '', markdown: '', isCut: false }),
    search: undefined,
  })
  const { context } = await bench({}, { web })
  await expect(use(webSearch, { query: 'x', results: 3 }, context)).rejects.toMatchObject({ code: 'no_search' })
})
