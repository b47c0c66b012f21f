import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { createStreamMask } from '../../src/kit/secrets/stream.ts'
import { negatives } from './negatives.ts'
import { inFront, positives, printedKey, privateKey } from './positives.ts'

const ownValue = 'k3y with spaces/und Ümlaut'
const encoded = Buffer.from(`some ${ownValue} here`).toString('base64')
const secrets = createSecrets([
  { name: 'key', value: ownValue },
  { name: 'other one', value: 'tea4me-7Qz9x' },
])

function streamed(chunks: string[]): string {
  const stream = createStreamMask(secrets)
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end()
}

/** The text in pieces of these lengths, over and over. */
function pieces(text: string, lengths: number[]): string[] {
  const result: string[] = []
  for (let at = 0, next = 0; at < text.length; next++) {
    const length = lengths[next % lengths.length] ?? 1
    result.push(text.slice(at, at + length))
    at += length
  }
  return result
}

const headers = ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,3F9A0C7E51D2B846', '']
const printed = [() => '', ...inFront].flatMap((one) => [printedKey(one), printedKey(one, 'RSA PRIVATE KEY', headers)])

describe('a text that comes in chunks', () => {
  const piece = fc.constantFrom(
    ...positives.map(({ before = '', secret, after = '' }) => before + secret + after),
    ...negatives,
    ...printed.map((key) => `\n${key}`),
    ownValue,
    encoded,
    encoded.replace(/.{12}/g, '$&\n'),
    'tea4me-7Qz9x',
    'lorem ipsum '.repeat(60),
    'password=',
    'AKIA',
    '-----BEGIN ',
  )
  const joint = fc.constantFrom('', ' ', ' ', '\n', '"', '\u00e9')
  const text = fc.array(fc.tuple(piece, joint), { maxLength: 8 }).map((pairs) => pairs.flat().join(''))
  const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 9 })

  test('is masked as the whole would be, however it is cut', () => {
    fc.assert(
      fc.property(text, lengths, (whole, sizes) => {
        expect(streamed(pieces(whole, sizes))).toBe(secrets.mask(whole))
      }),
      { numRuns: 1500 },
    )
  })

  test('also in single characters', () => {
    const whole = [
      ...positives.map(({ before = '', secret, after = '' }) => before + secret + after),
      ...negatives,
      ...printed,
    ].join('\n')
    expect(streamed([...whole])).toBe(secrets.mask(whole))
  })

  test('also in a word that never ends', () => {
    const token = positives.find(({ kind }) => kind === 'a GitHub token')?.secret ?? ''
    const whole = `${'x.'.repeat(15_000)}${token}${'.y'.repeat(15_000)}${token}${'.z'.repeat(3000)}`
    const stream = createStreamMask(secrets)
    let shown = ''
    for (const chunk of pieces(whole, [37])) shown += stream.push(chunk)
    expect(shown.length).toBeGreaterThan(whole.length - 24_000)
    expect(shown + stream.end()).toBe(secrets.mask(whole))
  })

  test('is shown up to the last word', () => {
    const stream = createStreamMask(secrets)
    expect(stream.push('Hello there, Ana')).toBe('Hello there, ')
    expect(stream.push('. How are you? ')).toBe('Ana. How are you? ')
    expect(stream.push('日本語の')).toBe('日本語の')
    expect(stream.push('The key is k3y wi')).toBe('The key is ')
    expect(stream.push('ld')).toBe('')
    expect(stream.push(' or not')).toBe('k3y wild or ')
    expect(stream.end()).toBe('not')
  })

  test('shows nothing of a private key, and goes on behind it', () => {
    const key = privateKey('RSA PRIVATE KEY')
    const stream = createStreamMask(secrets)
    expect(
      pieces(key, [7])
        .map((chunk) => stream.push(chunk))
        .join(''),
    ).toBe('')
    expect(stream.push(' done, ')).toBe('[secret: a private key] done, ')
    expect(stream.push(key.slice(0, 150))).toBe('')
    expect(stream.end()).toBe('[secret: a private key]')
  })

  test('masks what follows a line of a private key that is shown, however long the key is', () => {
    const [first = '', ...rest] = privateKey('PRIVATE KEY').split('\n')
    const lines = rest.slice(0, 5)
    const chunks = [[first, ...Array(4).fill(lines).flat(), 'reboot'].join('\n'), `\n${lines[0]}.`, ' Done.']
    expect(streamed(chunks)).toBe('[secret: a private key]\nreboot\n[secret: a private key]. Done.')
  })

  test('a sentence about private keys does not stop it', () => {
    const stream = createStreamMask(secrets)
    const said = `It begins with -----BEGIN PRIVATE KEY----- and goes on, line by line, for a while.\nThen it ends. `
    expect(
      pieces(said, [5])
        .map((chunk) => stream.push(chunk))
        .join(''),
    ).toBe(said)
  })

  test("an endless run of one of the bot's values is not held back as a whole", () => {
    const own = createSecrets([{ name: 'key', value: 'q7Rt2Kq7Rt2K' }])
    const stream = createStreamMask(own)
    let shown = ''
    for (let count = 0; count < 300; count++) shown += stream.push('q7Rt2K'.repeat(170))
    shown += stream.push(' end ') + stream.end()
    expect(shown).toBe('[secret: the bot’s own key] end ')
  })
})
