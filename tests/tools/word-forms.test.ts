import { describe, expect, test } from 'vitest'
import { formsOf, placesOf, stem } from '../../src/kit/text/word-forms.ts'

const isFound = (word: string, text: string): boolean => placesOf(text, formsOf(word), 1).worth > 0

describe('English words', () => {
  test.each([
    ['movies', 'movie'],
    ['cookies', 'cookie'],
    ['companies', 'company'],
    ['cities', 'city'],
    ['notes', 'note'],
    ['stores', 'store'],
    ['invoicing', 'invoices'],
    ['boxes', 'box'],
    ['fixed', 'fix'],
    ['heroes', 'hero'],
    ['searches', 'search'],
    ['caches', 'cache'],
    ['creating', 'created'],
    ['deployed', 'deploys'],
    ['noted', 'noting'],
    ['meetings', 'meet'],
    ['studying', 'studies'],
    ['strings', 'string'],
    ['speeds', 'speed'],
  ])('%s and %s are forms of one word', (one, other) => {
    expect([isFound(one, other), isFound(other, one)]).toEqual([true, true])
    expect(stem(one)).toBe(stem(other))
  })

  test.each([
    ['notes', 'not'],
    ['thing', 'the'],
    ['using', 'us'],
    ['being', 'be'],
    ['doing', 'do'],
    ['sites', 'sit'],
    ['modes', 'mod'],
    ['rates', 'rat'],
    ['wines', 'win'],
    ['party', 'part'],
    ['county', 'count'],
    ['policy', 'police'],
    ['stores', 'story'],
    ['string', 'stry'],
    ['species', 'special'],
  ])('%s is no form of %s', (one, other) => {
    expect(isFound(one, other)).toBe(false)
    expect(stem(one)).not.toBe(stem(other))
  })

  test('planes are searched without the plan', () => {
    expect([isFound('plane', 'plan'), isFound('planes', 'plan')]).toEqual([false, false])
  })
})
