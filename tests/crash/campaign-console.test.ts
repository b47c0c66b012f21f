import { expect, test } from 'vitest'
import { runCampaign } from './run.ts'

test('twelve kills, two of them freezes: nothing is lost, doubled or out of order', { timeout: 900_000 }, async () => {
  const options = { seed: 12, kills: 12, freezes: 2, conversations: 10, without: undefined, keep: false }
  const { faults, summary } = await runCampaign({ ...options, say: () => {} })
  expect(faults, summary).toEqual([])
})
