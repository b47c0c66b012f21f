import { expect, test } from 'vitest'
import { sixKills } from './platforms/six-kills.ts'

test('six kills on discord while things go wrong there: everybody is answered once, and sees it', {
  timeout: 900_000,
}, async () => {
  const { faults, summary } = await sixKills('discord')
  expect(faults, summary).toEqual([])
})
