import { expect, test } from 'vitest'
import { webFetch } from '../../src/capabilities/web/web-fetch.ts'
import { webSearch } from '../../src/capabilities/web/web-search.ts'
import { sourcesOf } from '../../src/turn/settle/sources-of.ts'

const call = (name: string, input: object) => ({ id: 'call_1', name, arguments: JSON.stringify(input) }) as const

test('a search and a page say where their results come from', () => {
  const results = '1. First: a page\n   https://one.example/a\n   Some words\n2. Second\n   https://two.example/'
  expect(sourcesOf(webSearch, call('web_search', { query: 'pages' }), results)).toEqual([
    { url: 'https://one.example/a', title: 'First: a page' },
    { url: 'https://two.example/', title: 'Second' },
  ])
  const page = call('web_fetch', { url: 'https://One.example/a#part' })
  const url = 'https://one.example/a'
  expect(sourcesOf(webFetch, page, `[${url}: text/html]\nTitle: A page\n\nText`)).toEqual([{ url, title: 'A page' }])
  expect(sourcesOf(webFetch, page, `[${url}: text/plain]\nText`)).toEqual([{ url, title: 'one.example' }])
})

test('a tool that fails to say so says none', () => {
  const broken = { ...webSearch, sources: () => JSON.parse('{') }
  expect(sourcesOf(broken as typeof webSearch, call('web_search', { query: 'pages' }), '')).toEqual([])
  expect(sourcesOf(undefined, call('gone', {}), '')).toEqual([])
})
