import type Sqlite from 'better-sqlite3'
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
import { look } from '../look.ts'

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
  /** What SQLite itself finds wrong. */
  damage: string[]
}

export const readRows = (file: string): Rows => look(file, rowsIn)

function rowsIn(database: Sqlite.Database): Rows {
  // The columns are those of the schema's types.
  const all = <Row>(query: string): Row[] => database.prepare(query).all() as Row[]
  const table = <Row>(name: string, order: string) => all<Row>(`select * from ${name} order by ${order}`)
  const integrity = database.pragma('integrity_check', { simple: true })
  const strangers = database.pragma('foreign_key_check') as unknown[]
  return {
    sessions: table('sessions', 'id'),
    inbox: table('inbox', 'session_id, seq'),
    turns: table('turns', 'session_id, inbox_seq'),
    messages: table('messages', 'session_id, seq'),
    calls: table('calls', 'session_id, proposed_at, place'),
    requests: table('requests', 'asked_at'),
    alarms: table('alarms', 'due_at'),
    outbox: table('outbox', 'session_id, seq'),
    events: table<EventRow>('events', 'session_id, id').map((row) => ({ ...row, data: JSON.parse(row.data) })),
    files: table('files', 'session_id, path'),
    postings: table('postings', 'begun_at, key'),
    ignored: table('ignored', 'ignored_at'),
    spy: table('crash_spy', 'rowid'),
    damage: [
      ...(integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]),
      ...strangers.map((row) => `foreign_key_check: ${JSON.stringify(row)}`),
    ],
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
