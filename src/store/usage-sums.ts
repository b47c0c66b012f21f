import { type ExpressionBuilder, sql } from 'kysely'
import type { SessionId, TurnId } from '../domain/ids.ts'
import type { Tables, UsageRow } from './schema.ts'
import type { Db } from './store.ts'

/** Which rows a sum is about. What children cost counts for the session and the turn that opened them. */
export interface UsageFilter {
  session?: SessionId
  turn?: TurnId
  platform?: string
  tenant?: string
  project?: string
  person?: string
  /** From this day on, as YYYY-MM-DD. */
  since?: string
}

function isOfChild(eb: ExpressionBuilder<Tables, 'usage'>, { session, turn }: UsageFilter) {
  let children = eb.selectFrom('sessions').select('sessions.id').where('sessions.parent', 'is not', null)
  if (session !== undefined) children = children.where('sessions.parent', '=', session)
  if (turn !== undefined) children = children.where('sessions.parent_turn', '=', turn)
  return eb('usage.session_id', 'in', children)
}

function filtered(db: Db, by: UsageFilter) {
  let query = db.selectFrom('usage')
  const { session, turn } = by
  if (session !== undefined) query = query.where((eb) => eb.or([eb('session_id', '=', session), isOfChild(eb, by)]))
  if (turn !== undefined) query = query.where((eb) => eb.or([eb('turn_id', '=', turn), isOfChild(eb, by)]))
  if (by.platform !== undefined) query = query.where('platform', '=', by.platform)
  if (by.tenant !== undefined) query = query.where('tenant', '=', by.tenant)
  if (by.project !== undefined) query = query.where('project', '=', by.project)
  if (by.person !== undefined) query = query.where('person_id', '=', by.person)
  return by.since === undefined ? query : query.where('day', '>=', by.since)
}

/** What was spent, and what calls under way may still cost. */
export async function spentBy(db: Db, by: UsageFilter): Promise<{ spent: number; reserved: number }> {
  const isOpen = sql<boolean>`state = 'reserved'`
  const row = await filtered(db, by)
    .select([
      sql<number | null>`sum(case when ${isOpen} then 0 else nanos end)`.as('spent'),
      sql<number | null>`sum(case when ${isOpen} then nanos else 0 end)`.as('reserved'),
    ])
    .executeTakeFirstOrThrow()
  return { spent: Number(row.spent ?? 0), reserved: Number(row.reserved ?? 0) }
}

export const usageKeys = ['day', 'tenant', 'channel', 'thread', 'person', 'model', 'tool'] as const
export type UsageKey = (typeof usageKeys)[number]

export interface UsageLine {
  /** Its values, such as platform, tenant and channel. */
  key: string[]
  /** Of a person, or a thread's title, unless the thread is deleted. */
  name?: string
  calls: number
  input: number
  cached: number
  written: number
  output: number
  reasoning: number
  nanos: number
}

const columnsOf: Record<UsageKey, (keyof UsageRow & string)[]> = {
  day: ['day'],
  tenant: ['platform', 'tenant'],
  channel: ['platform', 'tenant', 'project'],
  thread: ['platform', 'tenant', 'project'],
  person: ['platform', 'tenant', 'person_id'],
  model: ['model', 'slot'],
  tool: ['tools'],
}

/** What a subagent costs counts for the thread that opened it. */
const threadOf = sql<string>`coalesce((select parent from sessions where id = usage.session_id), usage.session_id)`
const titleOf = sql<string | null>`(select title from sessions where id = ${threadOf} and deleted_at is null)`

/** What calls cost, by one of the keys. Calls under way are left out. */
export async function usageBy(db: Db, key: UsageKey, filter: UsageFilter = {}): Promise<UsageLine[]> {
  const columns = columnsOf[key]
  const sum = (column: keyof UsageRow & string) => sql<number>`sum(${sql.ref(column)})`
  const rows = await filtered(db, filter)
    .where('state', '<>', 'reserved')
    .select(columns)
    .select(sql<number>`count(*)`.as('calls'))
    .select([sum('tokens_in').as('input'), sum('tokens_cached').as('cached'), sum('tokens_written').as('written')])
    .select([sum('tokens_out').as('output'), sum('tokens_reasoning').as('reasoning'), sum('nanos').as('sum')])
    .$if(key === 'person', (query) => query.select(sql<string>`max(person)`.as('name')))
    .$if(key === 'thread', (query) =>
      query.select([threadOf.as('thread'), sql<string | null>`max(${titleOf})`.as('name')]).groupBy(threadOf),
    )
    .groupBy(columns)
    .execute()
  const lines = rows.map((row) => ({
    key: [
      ...columns.map((column) => String((row as unknown as Record<string, unknown>)[column])),
      ...[row.thread ?? []].flat(),
    ],
    ...(row.name != null && { name: row.name }),
    calls: Number(row.calls),
    input: Number(row.input),
    cached: Number(row.cached),
    written: Number(row.written),
    output: Number(row.output),
    reasoning: Number(row.reasoning),
    nanos: Number(row.sum),
  }))
  return (key === 'tool' ? byTool(lines) : lines).toSorted((left, right) => right.nanos - left.nanos)
}

/** A call that called several tools counts for each by its share; one that called none is the answer itself. */
function byTool(lines: UsageLine[]): UsageLine[] {
  const totals = new Map<string, UsageLine>()
  for (const { key, name: _, ...line } of lines) {
    const tools = (key[0] ?? '').split(',')
    for (const tool of tools) {
      const called = tool === '' ? 'answer' : tool
      const total = totals.get(called)
      const share = Object.fromEntries(
        Object.entries(line).map(([what, value]) => [
          what,
          value / tools.length + (total?.[what as keyof typeof line] ?? 0),
        ]),
      ) as typeof line
      totals.set(called, { key: [called], ...share })
    }
  }
  return [...totals.values()]
}
