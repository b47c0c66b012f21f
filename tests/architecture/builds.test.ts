import { expect, test } from 'vitest'

test('libraries are the builds that the bot uses, not those for their developers', () => {
  expect(import.meta.resolve('micromark')).toMatch(/node_modules\/micromark\/index\.js$/)
})
