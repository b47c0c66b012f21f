import { z } from 'zod'
import { camel } from '../../config/camel.ts'
import type { SettingsSection } from '../../config/section.ts'

const schema = z
  .strictObject({
    at_once: z
      .int()
      .min(1)
      .max(20)
      .default(5)
      .describe('Subagents of one request that work at the same time; others wait'),
    steps: z
      .int()
      .min(1)
      .max(50)
      .default(15)
      .describe('Model calls a subagent may make, unless the call says otherwise'),
    short_result: z
      .int()
      .min(0)
      .default(200)
      .describe('A shorter result, in characters, is asked for once more in detail'),
  })
  .prefault({})
  .transform(camel)

export type DelegationSettings = z.output<typeof schema>

export const delegationSection: SettingsSection<DelegationSettings> = { section: 'delegation', schema }
