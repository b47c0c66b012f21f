import { describe, expect, test } from 'vitest'
import { maskedLine, unbroken } from '../../src/kit/secrets/masked-line.ts'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { maxSecret } from '../../src/kit/secrets/span.ts'
import { positives } from './positives.ts'

const { mask } = createSecrets([])
const reach = 100
const secretOf = (wanted: string) => positives.find(({ kind }) => kind === wanted)?.secret ?? ''
const github = secretOf('a GitHub token')
const webToken = secretOf('a JSON Web Token')
const filler = (characters: number) => 'lorem ipsum '.repeat(characters / 12)

describe('a line around a place in it', () => {
  test('is masked without reading what is farther away than a secret is long', () => {
    let steps = 0
    const counted = (text: string) => {
      steps += text.length
      return mask(text)
    }
    const line = `${filler(600_000)}${github} here ${github} ${filler(600_000)}`
    const at = line.indexOf('here')
    const shown = maskedLine(line, at, counted, reach)
    expect(shown.text).toContain('[secret: a GitHub token] here [secret: a GitHub token] lorem')
    expect(shown.text.slice(shown.at)).toMatch(/^here/)
    expect(shown.text.length).toBeLessThanOrEqual(2 * reach + 50)
    expect(steps).toBeLessThan(4 * (2 * reach + 2 * maxSecret))
    steps = 0
    expect(maskedLine(filler(1_200_000), 600_000, counted, reach).text).toHaveLength(1_200_000)
    expect(steps).toBeLessThanOrEqual(2 * reach + 2 * maxSecret)
  })

  test('shows nothing of a secret that begins or ends farther away', () => {
    for (const { before = '', secret, after = '' } of positives.filter((_, index) => index % 4 === 0)) {
      const line = `${filler(24_000)}${before}${secret}${after} ${filler(24_000)}`
      const start = line.indexOf(before + secret) + before.length
      for (const at of [start - 99, start + 6, start + secret.length - 6, start + secret.length + 90]) {
        const { text } = maskedLine(line, at, mask, reach)
        const shown = text === line ? line.slice(at - reach, at + reach) : text
        for (let from = 0; from + 12 <= secret.length; from++)
          expect(shown).not.toContain(secret.slice(from, from + 12))
      }
    }
  })

  test('knows where the place is, also inside a secret that isn’t recognized by its beginning', () => {
    const line = `${filler(120)}"id":"${webToken}" and more`
    for (const inside of [30, webToken.lastIndexOf('.') - 5, webToken.length - 3]) {
      const { text, at } = maskedLine(line, line.indexOf(webToken) + inside, mask)
      expect(text.slice(at)).toMatch(/^(\[secret: a JSON Web Token\])?" and more$/)
    }
    const named = `${filler(120)}token: ${webToken} and more`
    const claims = maskedLine(named, named.indexOf(webToken) + webToken.indexOf('.') + 20, mask)
    expect(claims.text.slice(claims.at)).toBe('[secret: a JSON Web Token] and more')
    const { text, at } = maskedLine(line, line.indexOf('more'), mask)
    expect(text.slice(at)).toBe('more')
  })
})

test('a passage with a secret keeps two asterisks that aren’t around a match', () => {
  const password = 'PASSWORD=k7Qz9fLw'
  const masked = 'PASSWORD=[secret: a password]'
  expect(unbroken(`**${password.slice(0, 8)}**${password.slice(8)} in src/**/*.ts`, mask)).toBe(
    `${masked} in src/**/*.ts`,
  )
  expect(unbroken(`src/**/*.ts, lib/** and 2**32 in **PASSWORD**=k7Q**z9f**Lw`, mask)).toBe(
    `src/**/*.ts, lib/** and 2**32 in ${masked}`,
  )
  expect(unbroken('**ghp_**'.concat(github.slice(4), ' of src/**/*.ts'), mask)).toBe(
    '[secret: a GitHub token] of src/**/*.ts',
  )
  expect(unbroken('the **files** src/**/*.ts', mask)).toBe('the **files** src/**/*.ts')
})
