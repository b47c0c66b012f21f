import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../src/secrets/secrets.ts'

const value = 'aB3/dE+fG&"hI\\jK=lM ü9'
const secrets = createSecrets([
  { name: 'Slack token', value },
  { name: 'pass phrase', value: 'tea4me' },
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

  test('a short one only as a whole word, and as it is', () => {
    expect(secrets.mask('say tea4me, tea4men, xtea4me, tea4me')).toBe(
      'say [secret: the bot’s own pass phrase], tea4men, xtea4me, [secret: the bot’s own pass phrase]',
    )
    expect(secrets.mask(base64('tea4me'))).toBe(base64('tea4me'))
  })

  test('a key of many lines, with line breaks escaped or not', () => {
    const key = ['first line 1', 'second line 2', 'third'].join('\n')
    const own = createSecrets([{ name: 'key', value: `${key}\n` }])
    const hidden = '<[secret: the bot’s own key]>'
    expect(own.mask(`<${key}>`)).toBe(hidden)
    expect(own.mask(`<${key.replaceAll('\n', '\r\n')}>`)).toBe(hidden)
    expect(own.mask(`<${key.replaceAll('\n', '\\n')}>`)).toBe(hidden)
  })

  test('a mask is left alone, even by a value that is one of its words', () => {
    const own = createSecrets([{ name: 'word', value: 'token' }])
    const once = own.mask(`token GITLAB_TOKEN=${'q7Rt2Kp9Zx4Wm8Bv5Nc1'}`)
    expect(once).toBe('[secret: the bot’s own word] GITLAB_TOKEN=[secret: a token]')
    expect(own.mask(once)).toBe(once)
  })

  test('several in a row and one within another', () => {
    const own = createSecrets([
      { name: 'short', value: 'abcdabcd' },
      { name: 'long', value: 'xxabcdabcdyy' },
    ])
    expect(own.mask('xxabcdabcdyy abcdabcdabcd!')).toBe('[secret: the bot’s own long] [secret: the bot’s own short]!')
  })
})
