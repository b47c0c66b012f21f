import { expect, test } from 'vitest'
import { campaignMs } from './in-time.ts'
import { sixKills } from './platforms/six-kills.ts'

test('six kills on slack while things go wrong there: everybody is answered once, and sees it', {
  timeout: campaignMs,
}, async () => {
  const { faults, summary } = await sixKills('slack')
  expect(faults, summary).toEqual([])
})
