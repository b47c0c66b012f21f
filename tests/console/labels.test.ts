import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const components = join(import.meta.dirname, '../../src/platforms/console/public/components')

/** Elements that no browser lets have a name, unless they are given a role. */
const nameless = /^(p|pre|div|span|i|b|em|strong|small|code|li|dl|dt|dd|time|blockquote)$/

// The pages are looked at with axe as well, but only in the states in which a test meets them.
test('whatever has a label has a role that may have one', () => {
  const found = readdirSync(components).flatMap((file) => {
    const text = readFileSync(join(components, file), 'utf8')
    return Array.from(text.matchAll(/<([a-z]\w*)((?:[^<>]|=>)*?)\saria-label=/g), ([, tag = '', between = '']) =>
      nameless.test(tag) && !/\srole=/.test(between) ? `${file}: <${tag}>` : undefined,
    )
  })
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter((one) => one !== undefined)).toEqual([])
})
