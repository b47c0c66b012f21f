import type { Outcome } from '../ground.ts'
import { inTime } from '../in-time.ts'
import { runPlatformCampaign } from './run.ts'
import type { Stage } from './stage.ts'

/** The short form of a platform's campaign, one of its kills a freeze. */
export const sixKills = (platform: Stage['name']): Promise<Outcome> =>
  inTime((say) =>
    runPlatformCampaign({
      platform,
      seed: 12,
      kills: 6,
      freezes: 1,
      conversations: 8,
      calm: false,
      without: undefined,
      keep: false,
      say,
    }),
  )
