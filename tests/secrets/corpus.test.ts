import { expect, test } from 'vitest'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { createStreamMask } from '../../src/kit/secrets/stream.ts'
import { benignTexts } from './corpus/benign.ts'
import { draws } from './corpus/draw.ts'
import { generated, secretTexts } from './corpus/secret.ts'

const secrets = createSecrets([])
const seeds = [1, 2, 3]

test.each(seeds)(
  'of more than a thousand texts without a secret, less than one in a hundred is changed (%i)',
  (seed) => {
    const texts = benignTexts(seed)
    expect(texts.length).toBeGreaterThanOrEqual(1000)
    const changed = texts.filter(({ text }) => secrets.mask(text) !== text)
    expect(changed.length / texts.length, JSON.stringify(changed.slice(0, 20), null, 1)).toBeLessThan(0.01)
  },
)

test.each(seeds)('and among hundreds with one, none gets through (%i)', (seed) => {
  const texts = secretTexts(seed)
  expect(texts.length).toBeGreaterThanOrEqual(300)
  // The last characters too: a secret that is masked in part is one that is known in part.
  const left = texts.filter(({ text, secret }) => {
    const masked = secrets.mask(text)
    return masked.includes(secret) || masked.includes(secret.slice(-8))
  })
  expect(left).toEqual([])
})

test.each(generated)('of a thousand random values after $before, at most $most get through', (generator) => {
  const draw = draws(1)
  const values = Array.from({ length: 1000 }, () => generator.make(draw))
  const left = values.filter((value) => secrets.mask(generator.before + value + generator.after).includes(value))
  expect(left.length, left.slice(0, 10).join('\n')).toBeLessThanOrEqual(generator.most)
})

test.each(seeds)('a text that comes in pieces is masked like the whole (%i)', (seed) => {
  const draw = draws(seed)
  for (const text of [...benignTexts(seed, 20), ...secretTexts(seed)].map((one) => one.text)) {
    const mask = createStreamMask(secrets)
    let shown = ''
    for (let at = 0; at < text.length; ) {
      const length = 1 + draw.below(12)
      shown += mask.push(text.slice(at, at + length))
      at += length
    }
    expect(shown + mask.end()).toBe(secrets.mask(text))
  }
})
