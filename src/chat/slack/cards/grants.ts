import type { GrantScope } from '../../../domain/grant.ts'

/** Where a grant holds, in the middle of a sentence. */
export const scopeWords: Record<GrantScope, string> = {
  thread: 'in this thread',
  channel: 'in this channel',
  tenant: 'in the whole workspace',
}

const hourMs = 3_600_000

/** How long a grant may be given for; without ms it has no end. */
export const durations: { id: string; label: string; ms: number | undefined }[] = [
  { id: 'hour', label: '1 hour', ms: hourMs },
  { id: 'day', label: '1 day', ms: 24 * hourMs },
  { id: 'month', label: '30 days', ms: 30 * 24 * hourMs },
  { id: 'forever', label: 'Without end', ms: undefined },
]
