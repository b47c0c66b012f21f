import type {
  AlarmRow,
  CallRow,
  EventRow,
  FileRow,
  IgnoredRow,
  InboxRow,
  MessageRow,
  OutboxRow,
  PostingRow,
  TurnRow,
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
  spy: SpyRow[]
  /** What the database itself finds wrong. */
  damage: string[]
}

export async function readRows(stored: Stored): Promise<Rows> {
  const table = <Row>(name: string, order: string) => stored.all<Row>(`select * from ${name} order by ${order}`)
  const events = await table<EventRow>('events', 'session_id, id')
  return {
    sessions: await table('sessions', 'id'),
    inbox: await table('inbox', 'session_id, seq'),
    turns: await table('turns', 'session_id, inbox_seq'),
    messages: await table('messages', 'session_id, seq'),
    calls: await table('calls', 'session_id, proposed_at, place'),
    requests: await table('requests', 'asked_at'),
    alarms: await table('alarms', 'due_at'),
    outbox: await table('outbox', 'session_id, seq'),
    events: events.map((row) => ({ ...row, data: JSON.parse(row.data) })),
    files: await table('files', 'session_id, path'),
    postings: await table('postings', 'begun_at, key'),
    ignored: await table('ignored', 'ignored_at'),
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

export function groupBy<Row>(rows: Row[], key: (row: Row) => string): Map<string, Row[]> {
  return Map.groupBy(rows, key)
}
