import { expect, test } from 'vitest'
import { sixKills } from './platforms/six-kills.ts'

test('six kills on slack while things go wrong there: everybody is answered once, and sees it', {
  timeout: 900_000,
}, async () => {
  const { faults, summary } = await sixKills('slack')
  expect(faults, summary).toEqual([])
})
