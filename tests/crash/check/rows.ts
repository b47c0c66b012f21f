import type { FileRow } from '../../../src/store/file-rows.ts'
import type { PlanRow, PlanStepRow } from '../../../src/store/plan-rows.ts'
import { wholeData, wholePayload } from '../../../src/store/said.ts'
import type {
  AlarmRow,
  CallRow,
  EventRow,
  IgnoredRow,
  InboxRow,
  MessageRow,
  OutboxRow,
  PostingRow,
  TurnRow,
  UsageRow,
} from '../../../src/store/schema.ts'
import type { SessionRow } from '../../../src/store/session-rows.ts'
import type { RequestRow } from '../../../src/store/trust-rows.ts'
import type { Stored } from '../stored.ts'

interface SpyRow {
  what: string
  about: string
  who: string | null
  holder: string | null
}

/** Everything that the bot has stored. */
export interface Rows {
  sessions: SessionRow[]
  inbox: InboxRow[]
  turns: TurnRow[]
  messages: MessageRow[]
  calls: CallRow[]
  requests: RequestRow[]
  alarms: AlarmRow[]
  outbox: OutboxRow[]
  events: (Omit<EventRow, 'data'> & { data: Record<string, unknown> })[]
  files: FileRow[]
  postings: PostingRow[]
  ignored: IgnoredRow[]
  usage: UsageRow[]
  plans: PlanRow[]
  steps: PlanStepRow[]
  spy: SpyRow[]
  /** What the database itself finds wrong. */
  damage: string[]
}

export async function readRows(stored: Stored): Promise<Rows> {
  const table = <Row>(name: string, order: string) => stored.all<Row>(`select * from ${name} order by ${order}`)
  const events = await table<EventRow>('events', 'session_id, id')
  const outbox = await table<OutboxRow>('outbox', 'session_id, seq')
  const messages = await table<MessageRow>('messages', 'session_id, seq')
  const said = new Map(messages.map((row) => [`${row.session_id} ${row.seq}`, row]))
  const saidIn = ({ session_id, said: seq }: EventRow | OutboxRow) => {
    const row = said.get(`${session_id} ${seq}`)
    return { saidText: row?.text ?? null, saidTurn: row?.turn_id ?? null }
  }
  const wholeEntry = (row: OutboxRow) => wholePayload(row.payload, row.said, saidIn(row).saidText)
  return {
    sessions: await table('sessions', 'id'),
    inbox: await table('inbox', 'session_id, seq'),
    turns: await table('turns', 'session_id, inbox_seq'),
    messages,
    calls: await table('calls', 'session_id, proposed_at, place'),
    requests: await table('requests', 'asked_at'),
    alarms: await table('alarms', 'due_at'),
    outbox: outbox.map((row) => ({ ...row, payload: JSON.stringify(wholeEntry(row)) })),
    events: events.map((row) => ({ ...row, data: wholeData(row, saidIn(row)) })),
    files: await table('files', 'session_id, path'),
    postings: await table('postings', 'begun_at, key'),
    ignored: await table('ignored', 'ignored_at'),
    usage: await table('usage', 'at'),
    plans: await table('plans', 'id'),
    steps: await table('plan_steps', 'plan_id, number'),
    spy: await table('crash_spy', 'what, about'),
    damage: await stored.damage(),
  }
}

/** By token: what people said at the console, as the inbox has it. */
export function receivedAtConsole(rows: Rows): Map<string, InboxRow[]> {
  const said = rows.inbox.filter(({ dedup_key }) => dedup_key.startsWith('console:'))
  return Map.groupBy(said, ({ dedup_key }) => tokenIn(dedup_key))
}

export const tokenIn = (text: string): string => /tok-\d+-\d+r?/.exec(text)?.[0] ?? ''

/** The token of a message, or the mark of a subagent's part of it, `sub-a-1-0`. */
export const markIn = (text: string): string => /(?:tok|sub-[a-j])-\d+-\d+r?/.exec(text)?.[0] ?? ''

/** A question about a plan has the mark of its first step, and is answered on its card alone. */
export const isOfMessage = (mark: string): boolean => mark.startsWith('tok')

/** The session whose thread people see: a subagent's is its parent's. */
export function homesIn({ sessions }: Pick<Rows, 'sessions'>): (session: string) => string {
  const parents = new Map<string, string>(sessions.flatMap(({ id, parent }) => (parent === null ? [] : [[id, parent]])))
  return (session) => parents.get(session) ?? session
}

/** How many subagents and plans there were, for the line of counts. */
export function countHands({ sessions, turns, plans }: Pick<Rows, 'sessions' | 'turns' | 'plans'>): string {
  const children = new Set(sessions.flatMap(({ id, parent }) => (parent === null ? [] : [id])))
  const stopped = turns.filter(({ session_id, state }) => state === 'stopped' && children.has(session_id))
  const carriedOut = plans.filter(({ status }) => status === 'completed')
  return `subagents ${children.size} (stopped ${stopped.length}) · plans ${plans.length} (completed ${carriedOut.length})`
}

export function groupBy<Row>(rows: Row[], key: (row: Row) => string): Map<string, Row[]> {
  return Map.groupBy(rows, key)
}
