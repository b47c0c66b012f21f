import { describe, expect, test } from 'vitest'
import { catalogue } from '../../src/kit/words/catalogue.ts'
import { inLanguage } from '../../src/kit/words/language.ts'
import { listed } from '../../src/kit/words/list.ts'

const english = {
  hello: 'Hello.',
  found:
    '{count, plural, one {# file} other {# files}} in {folder}, {failed, plural, =0 {none failed} other {# failed}}.',
  settled: '{how, select, approved {{who} approved it.} denied {{who} denied it.} other {It isn’t settled.}}',
  quoted: "It's “{text}”, as {who} said.",
} as const

const words = catalogue(english, {
  pl: { found: '{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}} w {folder}.' },
})

describe('a catalogue', () => {
  test('says complete sentences with values, in singular and plural', () => {
    expect(words.hello()).toBe('Hello.')
    expect(words.found({ count: 0, folder: 'outputs/', failed: 0 })).toBe('0 files in outputs/, none failed.')
    expect(words.found({ count: 1, folder: 'outputs/', failed: 1 })).toBe('1 file in outputs/, 1 failed.')
    expect(words.found({ count: 1200, folder: 'a', failed: 2 })).toBe('1,200 files in a, 2 failed.')
    expect(words.settled({ how: 'denied', who: 'Ana' })).toBe('Ana denied it.')
    expect(words.settled({ how: 'something new', who: 'Ana' })).toBe('It isn’t settled.')
  })

  test('leaves values as they are, whatever they contain', () => {
    const text = "{who} <b> $& '' {count, plural}"
    expect(words.quoted({ text, who: 'Ana' })).toBe(`It's “${text}”, as Ana said.`)
    expect(words.settled({ how: 'approved', who: text })).toBe(`${text} approved it.`)
  })

  test('speaks the language that is in force, also after waiting, and English where a message lacks', async () => {
    const [first, later, other] = await inLanguage('pl', async () => {
      const now = words.found({ count: 3, folder: 'x', failed: 0 })
      await Promise.resolve()
      return [now, words.found({ count: 5, folder: 'x', failed: 0 }), words.hello()]
    })
    expect([first, later, other]).toEqual(['3 pliki w x.', '5 plików w x.', 'Hello.'])
    expect(words.found({ count: 3, folder: 'x', failed: 0 })).toContain('3 files')
  })

  test('knows its values by their types', () => {
    const compiled = [
      // @ts-expect-error one is missing
      () => words.found({ count: 1, folder: 'x' }),
      // @ts-expect-error a plural needs a number
      () => words.found({ count: '1', folder: 'x', failed: 0 }),
      // @ts-expect-error it is misspelt
      () => words.quoted({ txt: 'x', who: 'Ana' }),
      // @ts-expect-error values inside an option are values too
      () => words.settled({ how: 'denied' }),
      // @ts-expect-error it names none
      () => words.hello({ count: 1 }),
    ]
    expect(compiled).toHaveLength(5)
  })
})

test('lists are written as the language writes them', () => {
  expect(listed(['a'])).toBe('a')
  expect(listed(['a', 'b'])).toBe('a and b')
  expect(listed(['a', 'b', 'c'], 'disjunction')).toBe('a, b, or c')
  expect(inLanguage('de', () => listed(['a', 'b', 'c']))).toBe('a, b und c')
})
