import { expect, test } from 'vitest'
import { campaignMs, inTime } from './in-time.ts'
import { planKills } from './plan.ts'
import { runCampaign } from './run.ts'

/** With this seed, few kills are of every kind. */
const short = { seed: 23, kills: 7, freezes: 2 }

test('seven kills, two of them freezes: nothing is lost, doubled or out of order', {
  timeout: campaignMs,
}, async () => {
  const kinds = planKills(short.seed, short.kills, short.freezes).map((kill) =>
    JSON.stringify([kill.kind, 'numb' in kill && kill.numb]),
  )
  expect([...new Set(kinds)].toSorted()).toEqual([
    '["freeze",false]',
    '["freeze",true]',
    '["running",false]',
    '["starting",false]',
  ])
  const options = { ...short, conversations: 10, without: undefined, keep: false }
  const { faults, summary } = await inTime((say) => runCampaign({ ...options, say }))
  expect(faults, summary).toEqual([])
})
