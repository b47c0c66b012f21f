import { expect, test } from 'vitest'
import { postgresPrograms } from '../support/postgres.ts'
import { campaignMs, inTime } from './in-time.ts'
import { runPlatformCampaign } from './platforms/run.ts'

test.skipIf(postgresPrograms === undefined)(
  'three processes are frozen, killed and lost, their server ends: everybody is answered once, and sees it',
  { timeout: campaignMs },
  async () => {
    const { faults, summary } = await inTime((say) =>
      runPlatformCampaign({
        ...{ platform: 'slack', seed: 12, kills: 5, freezes: 1, conversations: 6 },
        ...{ calm: false, without: undefined, keep: false, say },
        nodes: { count: 3, silentMs: 8_000 },
      }),
    )
    expect(faults, summary).toEqual([])
  },
)
