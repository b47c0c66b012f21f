import { unpricedModels } from '../config/unpriced.ts'
import { dollarsOf } from '../kit/model/cost.ts'
import { type UsageKey, type UsageLine, usageBy } from '../store/usage-sums.ts'
import type { Api, ApiDeps } from './deps.ts'
import { checked } from './errors.ts'
import { usageQuery } from './schemas.ts'

/** What model calls have cost. */
export function usageRoutes(api: Api, { store, config }: ApiDeps): void {
  api.get('/usage', async (context) => {
    const { by, since, conversation_id, limit } = checked(usageQuery, context.req.query())
    const session = conversation_id as `ses_${string}` | undefined
    const lines = await usageBy(store.db, by, { ...(since && { since }), ...(session && { session }) })
    const total = lines.reduce((sum, { nanos }) => sum + nanos, 0)
    const ordered = by === 'day' ? lines.toSorted((left, right) => (left.key < right.key ? 1 : -1)) : lines
    return context.json({
      by,
      usage: ordered.slice(0, limit).map((line) => shape(by, line)),
      has_more: ordered.length > limit,
      total_usd: dollarsOf(Math.round(total)),
      unpriced: unpricedModels(config.model),
    })
  })
}

/** What a line is about, by the names the rest of the interface uses. */
const names: Record<UsageKey, string[]> = {
  day: ['day'],
  tenant: ['platform', 'tenant_id'],
  channel: ['platform', 'tenant_id', 'project_id'],
  thread: ['platform', 'tenant_id', 'project_id', 'conversation_id'],
  person: ['platform', 'tenant_id', 'user_id'],
  model: ['model', 'slot'],
  tool: ['tool_name'],
}

function shape(by: UsageKey, { key, name, calls, ...line }: UsageLine) {
  return {
    ...Object.fromEntries(names[by].map((one, place) => [one, key[place]])),
    ...(name !== undefined && { [by === 'thread' ? 'title' : 'user_name']: name }),
    calls: rounded(calls),
    tokens_in: Math.round(line.input),
    tokens_cached: Math.round(line.cached),
    tokens_written: Math.round(line.written),
    tokens_out: Math.round(line.output),
    tokens_reasoning: Math.round(line.reasoning),
    usd: dollarsOf(Math.round(line.nanos)),
  }
}

/** A call that called three tools is a third of one for each. */
const rounded = (count: number): number => Math.round(count * 100) / 100
