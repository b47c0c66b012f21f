import { expect, test } from 'vitest'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { refuseMask } from '../../src/kit/secrets/written-mask.ts'
import { secretTexts } from './corpus/secret.ts'
import { positives } from './positives.ts'

const own = { name: 'Linear login', value: ['own', 'K7fQ2mZx', '9LrT4nVb', '1YcW6dKf'].join('-') }
const { mask } = createSecrets([own])

const isRefused = (text: string): boolean => {
  try {
    refuseMask('content', text)
    return false
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'masked', message: expect.stringMatching(/^content contains “\[secret: /) })
    return true
  }
}

test('a mask of any kind is refused, also with another apostrophe', () => {
  const secrets = [
    ...positives.map(({ before = '', secret, after = '' }) => before + secret + after),
    ...secretTexts(1).map(({ text }) => text),
  ]
  expect(secrets.filter((text) => !isRefused(mask(text)))).toEqual([])
  expect(isRefused(mask(`it is ${own.value}`))).toBe(true)
  expect(isRefused("[secret: the bot's own Linear login]")).toBe(true)
})

test.each(['f(...of: [secret: string, at: number])', '{ [secret: Name]: 1 }', '[secret: …]', '\\[secret: a token\\]'])(
  'what only looks alike isn’t: %s',
  (text) => expect(isRefused(text)).toBe(false),
)
