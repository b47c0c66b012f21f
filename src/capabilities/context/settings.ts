import { z } from 'zod'
import { camel } from '../../config/camel.ts'
import { milliseconds } from '../../config/figures.ts'
import type { SettingsSection } from '../../config/section.ts'

const share = z.number().gt(0).lte(1)
const count = z.int().min(0)

const schema = z
  .strictObject({
    window: z.enum(['tokens', 'messages']),
    tokens: z.int().min(1_000),
    information: share,
    warning: share,
    critical: share,
    protected_turns: count,
    protected_tokens: count,
    prune_tokens: count,
    compact: z.boolean(),
    compact_messages: z.int().min(2),
    recent: share,
    recent_messages: z.int().min(1),
    summary_tokens: z.int().min(100),
    wait_ms: milliseconds,
    summarize_pieces: z.int().min(1),
  })
  .transform(camel)

/** How a long thread is kept within what a model can read. */
export type ContextSettings = z.infer<typeof schema>

export const contextSection: SettingsSection<ContextSettings> = { section: 'context', schema }
