import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'

const value = 'aB3/dE+fG&"hI\\jK=lM ü9'
const secrets = createSecrets([
  { name: 'Slack token', value },
  { name: 'nothing', value: '' },
])
const mask = '[secret: the bot’s own Slack token]'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('the bot’s own values', () => {
  const json = JSON.stringify(value).slice(1, -1)
  const hex = Buffer.from(value).toString('hex')
  test.each([
    ['as it is', value],
    ['reversed', [...value].reverse().join('')],
    ['in JSON', json],
    ['in JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['in JSON with slashes escaped', json.replaceAll('/', '\\/')],
    ['in HTML', value.replaceAll('&', '&amp;')],
    ['in a URL', encodeURIComponent(value)],
    ['in a URL, in small letters', encodeURIComponent(value).replace(/%../g, (found) => found.toLowerCase())],
    ['in a form', encodeURIComponent(value).replaceAll('%20', '+')],
    ['each byte with a percent sign', hex.replace(/../g, '%$&')],
    ['each byte with a percent sign, in capitals', hex.toUpperCase().replace(/../g, '%$&')],
    ['in hexadecimal', hex],
    ['in hexadecimal capitals', hex.toUpperCase()],
  ])('%s', (_, form) => {
    expect(secrets.mask(`x${form}y`)).toBe(`x${mask}y`)
  })

  test('in Base64, wherever it stands in what is encoded', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 7 }), fc.string({ maxLength: 7 }), fc.boolean(), (before, after, isUrl) => {
        const encoded = Buffer.from(before + value + after).toString(isUrl ? 'base64url' : 'base64')
        expect(secrets.find(encoded).map(({ kind }) => kind)).toEqual(['the bot’s own Slack token'])
        const left = Buffer.from(secrets.mask(encoded).replace(mask, '='), 'base64').toString()
        expect(left).not.toContain('aB3')
        expect(left).not.toContain('lM')
      }),
    )
  })

  test('wrapped by a tool', () => {
    const wrapped = base64(`some text before it: ${value} and behind`).replace(/.{16}/g, '$&\n')
    expect(secrets.mask(wrapped)).toContain(mask)
    expect(secrets.mask(`${value.slice(0, 9)}\r\n${value.slice(9)}`)).toBe(mask)
  })

  test.each([
    'ollama',
    'none',
    'EMPTY',
    'test',
    'tea4me',
    'k7Qz-9fLw2X',
    'sk-xxxxxxxxxxxx',
    'sk-xxxxxxxxxxxxxxxxxxxx',
    'changeme',
    'changeme-changeme',
    'change-me-please',
    'sk-no-key-required',
    'your-api-key-here-please',
    'abcdefghijkl1234',
    'aaaabbbbccccdddd',
    'local-model',
    'production-1',
  ])('what is short, or made of words, is in ordinary texts too and stays: %s', (plain) => {
    const own = createSecrets([{ name: 'model key', value: plain }])
    const reversed = [...plain].reverse().join('')
    for (const text of [`say ${plain}!`, base64(plain), reversed, Buffer.from(plain).toString('hex')]) {
      expect(own.mask(text)).toBe(text)
    }
  })

  test.each([
    'k7Qz-9fLw2Xp',
    'correct-horse-battery-staple',
    '3f9a0c7e51d2',
    'r4nd0m!chars',
    // By chance, with a word that stands in for a secret elsewhere.
    ...['xxx', 'your', 'todo', 'fake'].map((word) => `sk-own-qtmvbwzk${word}hdprglcyjneuaoqs`),
  ])('but not this: %s', (real) => {
    const own = createSecrets([{ name: 'model key', value: real }])
    expect(own.mask(`say ${real}!`)).toBe('say [secret: the bot’s own model key]!')
    expect(own.mask(base64(real))).not.toContain(base64(real))
  })

  test('a key of many lines, with line breaks escaped or not', () => {
    const key = ['first line 1', 'second line 2', 'third'].join('\n')
    const own = createSecrets([{ name: 'key', value: `${key}\n` }])
    const hidden = '<[secret: the bot’s own key]>'
    expect(own.mask(`<${key}>`)).toBe(hidden)
    expect(own.mask(`<${key.replaceAll('\n', '\r\n')}>`)).toBe(hidden)
    expect(own.mask(`<${key.replaceAll('\n', '\\n')}>`)).toBe(hidden)
  })

  test('a mask is left alone, even if a value is one of its words', () => {
    const own = createSecrets([{ name: 'word', value: 'secret: a token' }])
    const once = own.mask(`GITLAB_TOKEN=${'q7Rt2Kp9Zx4Wm8Bv5Nc1'}`)
    expect(once).toBe('GITLAB_TOKEN=[secret: a token]')
    expect(own.mask(once)).toBe(once)
  })

  test('several in a row and one within another', () => {
    const own = createSecrets([
      { name: 'short', value: 'q7Rt2Kp9Zx4W' },
      { name: 'long', value: 'xxq7Rt2Kp9Zx4Wyy' },
    ])
    expect(own.mask('xxq7Rt2Kp9Zx4Wyy q7Rt2Kp9Zx4Wq7R!')).toBe(
      '[secret: the bot’s own long] [secret: the bot’s own short]q7R!',
    )
  })

  test.each([
    ['in a text', '"q7Rt2Kp9Zx4Wm8Bv5…", it says', '"<>…", it says'],
    ['on a line before it', 'It is q7Rt2Kp9Zx4Wm8\n…', 'It is <>…'],
    ['in Base64', `${base64('=q7Rt2Kp9Zx4Wm8Bv5Nc1').slice(0, 24)}…`, 'P<>…'],
  ])('most of one is masked too where `…` says that it was cut: %s', (_, text, expected) => {
    const own = createSecrets([{ name: 'key', value: 'q7Rt2Kp9Zx4Wm8Bv5Nc1' }])
    expect(own.mask(text)).toBe(expected.replace('<>', '[secret: the bot’s own key]'))
  })

  test('a beginning that says little stays, and so does what isn’t cut', () => {
    const own = createSecrets([{ name: 'key', value: 'sk-ant-api03-q7Rt2Kp9Zx4Wm8Bv5Nc1' }])
    const texts = ['It begins with sk-ant-api03-…', 'like sk-ant-api03-', 'sk-ant-api03-q7Rt2Kp9Z is another', 'no: …']
    for (const text of [...texts, 'sk-ant-api03-q7Rt2Kp9Z', 'sk-ant-api03-q7Rt2Kp9Z\n'])
      expect(own.mask(text)).toBe(text)
  })

  test.each([
    ['acme-production-gateway-key', 'acme-production-gateway'],
    ['acme-production-gateway-key', 'acme-production'],
    ['Acme-Production-2024!', 'Acme-Production'],
    ['https://hooks.zapier.com/hooks/catch/123456/abcdef', 'https://hooks.zapier.com/hooks/catch'],
  ])('%s hides no names and addresses that it begins with: %s', (whole, beginning) => {
    const own = createSecrets([{ name: 'key', value: whole }])
    expect(own.mask(`It is ${whole}`)).toBe('It is [secret: the bot’s own key]')
    for (const text of [beginning, `reports/${beginning}`, `The outage is in ${beginning}\n`, `See ${beginning}…`])
      expect(own.mask(text)).toBe(text)
  })

  test('of what is learned under one name, the latest values are known, but nothing that was there before goes', () => {
    const own = createSecrets([{ name: 'token', value: 'x0Rt2Kp9Zx4Wm8' }])
    const values = Array.from({ length: 6 }, (_, number) => `q${number}Rt2Kp9Zx4Wm8`)
    for (const value of values) own.learn([{ name: 'token', value }])
    const isKnown = (value: string) => own.mask(value) !== value
    expect(['x0Rt2Kp9Zx4Wm8', ...values].map(isKnown)).toEqual([true, false, false, true, true, true, true])
    own.learn([{ name: 'another', value: 'y0Rt2Kp9Zx4Wm8' }])
    expect(isKnown('q2Rt2Kp9Zx4Wm8')).toBe(true)
  })

  test('the latest values count for each of those who have one of the same name', () => {
    const own = createSecrets([])
    const values = Array.from({ length: 6 }, (_, number) => `q${number}Rt2Kp9Zx4Wm8`)
    for (const value of values) own.learn([{ name: 'token', value, whose: value }])
    for (const value of values) expect(own.mask(value)).toBe('[secret: the bot’s own token]')
  })
})
