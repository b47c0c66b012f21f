import { type MessageFormatElement, parse } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { catalogues } from './catalogues.ts'

type Values = Record<string, string | number>

/** What words.md of the house no longer says, and typing mistakes. */
const unwanted = [
  / {2}/,
  /\bplease\b/i,
  /\bneedn’t\b/,
  // The apostrophe of all texts is ’.
  /[\p{L}›]'\p{L}/u,
  /\bof late\b/i,
  /\bany ?more\b/i,
  /\bwants fewer\b/,
  /could not\b/,
  /\b([a-z]+) \1\b/,
  / [.,:;?!](?:\s|$)/,
  /\(s\)/,
]

/** Values of each kind: a plural with 0, 1, 2 and 5, each option of a choice. */
function samplesOf(elements: MessageFormatElement[], found: Record<string, (string | number)[]> = {}) {
  for (const element of elements) {
    if (element.type === 1 || element.type === 2)
      found[element.value] ??= element.type === 2 ? [2] : [`‹${element.value}›`]
    if (element.type === 5 || element.type === 6) {
      const options = Object.keys(element.options)
      found[element.value] = element.type === 6 ? [0, 1, 2, 5] : options
      for (const option of options) samplesOf(element.options[option]?.value ?? [], found)
    }
  }
  return found
}

/** One set of values for each sample of each value, the others at their second sample. */
function setsOf(samples: Record<string, (string | number)[]>): Values[] {
  const usual = Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, all[2] ?? all[0] ?? '']))
  return [usual, ...Object.entries(samples).flatMap(([name, all]) => all.map((value) => ({ ...usual, [name]: value })))]
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []

/** Whether a key is made of words of its own message, in their order. Such a key says nothing about when it is said. */
function isLeftOver(key: string, text: string): boolean {
  const parts = wordsOf(key.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' '))
  if (parts.length < 3) return false
  let found = 0
  // The names of values are no words of the message.
  for (const word of wordsOf(text.replace(/\{\w+/g, ' ').replaceAll('’', ''))) if (word === parts[found]) found++
  return found === parts.length
}

test('a key that is made of the words of its message is found', () => {
  expect(isLeftOver('slackDoesntAcceptToken', 'Slack doesn’t accept the bot token: {why}')).toBe(true)
  expect(isLeftOver('tokenRefused', 'The token was refused.')).toBe(false)
  expect(isLeftOver('pathTooLong', '{path} is too long.')).toBe(false)
})

describe.each(catalogues)('the messages of $path', ({ english, say }) => {
  const all = Object.entries(english).flatMap(([key, text]) =>
    setsOf(samplesOf(parse(text, { ignoreTag: true }))).map((values) => ({
      key,
      text,
      values,
      said: say(key, values),
    })),
  )

  test('have keys that name their situation', () => {
    const odd = Object.entries(english).filter(([key, text]) => /\d$/.test(key) || isLeftOver(key, text))
    expect(odd.map(([key, text]) => `${key}: ${text}`)).toEqual([])
  })

  test('are said as ICU’s MessageFormat says them', () => {
    for (const { key, text, values, said } of all) {
      expect([key, said]).toEqual([
        key,
        new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).format(values),
      ])
    }
  })

  test('keep to the style', () => {
    const odd = all.filter(({ said }) => unwanted.some((one) => one.test(said)) || said !== said.trim())
    expect(odd.map(({ key, said }) => `${key}: ${said}`)).toEqual([])
  })

  test('end with a full stop if they begin with a sentence', () => {
    const open = all.filter(({ said }) => /[^›][.?!][)”"`*]* [A-Z]/.test(said) && !/[.?!:…›][)”"`*_]*$/.test(said))
    expect(open.map(({ key, said }) => `${key}: ${said}`)).toEqual([])
  })

  test('have no plural where a number says one, and no singular with others', () => {
    const wrong = all.filter(
      ({ values, said }) =>
        /(?:^|[^\d.,:/-])1 (?!is\b|was\b|has\b|this\b|does\b)[a-z]+[^s\W]s\b(?! of)/.test(said) &&
        Object.values(values).includes(1),
    )
    expect(wrong.map(({ key, said }) => `${key}: ${said}`)).toEqual([])
  })

  test('choose between forms wherever they count', () => {
    const blind = Object.entries(english).filter(([, text]) => /\{(?:count|number)\} [a-z]+s\b/.test(text))
    expect(blind).toEqual([])
  })
})
