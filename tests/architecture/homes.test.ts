import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const cwd = resolve(import.meta.dirname, '..')

/** They start a copy of the program, which has no .env beside it. */
const copies = ['terminal/compile-cache.test.ts', 'terminal/package.test.ts']

test('what starts the program gives it a home: in that of the checkout may be a .env with real accounts', () => {
  const starts = globSync('**/*.ts', { cwd }).filter((path) => {
    const text = readFileSync(resolve(cwd, path), 'utf8')
    return /'(\.\.\/\.\.\/)?src\/bin\.js'/.test(text) && !text.includes('BOBBIN_HOME')
  })
  expect(starts.toSorted()).toEqual(copies)
})
