/** What a team has after years: how many sessions, each with ten messages in five turns. */
export interface Size {
  sessions: number
}

const turnsOfEach = 5
const hourMs = 3_600_000

const numbers = (count: number) =>
  `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n + 1 < ${count})`

/** Statements that fill an empty database, on SQLite and on PostgreSQL. Checks of foreign keys are off meanwhile. */
export function filling({ sessions }: Size, now: number): string[] {
  const person = `'{"id":"ana","name":"ana"}'`
  const words = `'This is what somebody said, as long as such things are: ' || n`
  const turns = sessions * turnsOfEach
  const session = `'ses_' || (n / ${turnsOfEach})`
  const ofSession = `n % ${turnsOfEach}`
  const at = `${now} - cast(n % 10000 as bigint) * ${hourMs}`
  return [
    `insert into sessions (id, platform, tenant, project, thread, title, person, time_zone, epoch,
        next_event, next_message, next_inbox, next_outbox, created_at, updated_at)
      ${numbers(sessions)} select 'ses_' || n, 'console', 'local', 'general', 'msg_' || n, 'A title ' || n, ${person}, 'UTC', 5,
        ${turnsOfEach * 3 + 1}, ${turnsOfEach * 2 + 1}, ${turnsOfEach + 1}, ${turnsOfEach + 1}, ${at}, ${at} from numbers`,
    `insert into turns (id, session_id, inbox_seq, state, person, time_zone, started_at, ended_at, segment, tokens_in, tokens_cached, tokens_out)
      ${numbers(turns)} select 'turn_' || n, ${session}, 1 + ${ofSession}, 'done', ${person}, 'UTC', ${at}, ${at}, 1, 100, 50, 20 from numbers`,
    `insert into inbox (session_id, seq, dedup_key, kind, payload, state, turn_id, event_id, created_at)
      ${numbers(turns)} select ${session}, 1 + ${ofSession}, 'key_' || n, 'message',
        '{"person":{"id":"ana","name":"ana"},"text":"' || ${words} || '","files":[]}', 'taken', 'turn_' || n, 1 + 3 * (${ofSession}), ${at} from numbers`,
    ...['user', 'assistant'].map(
      (role, place) => `insert into messages (session_id, seq, turn_id, role, text, created_at)
        ${numbers(turns)} select ${session}, ${1 + place} + 2 * (${ofSession}), 'turn_' || n, '${role}', ${words}, ${at} from numbers`,
    ),
    ...['message', 'start', 'complete'].map(
      (type, place) => `insert into events (session_id, id, type, data, created_at)
        ${numbers(turns)} select ${session}, ${1 + place} + 3 * (${ofSession}), '${type}',
          '{"turn_id":"turn_' || n || '","content":"' || ${words} || '"}', ${at} from numbers`,
    ),
    `insert into outbox (key, session_id, seq, turn_id, kind, payload, state, attempts, next_at, created_at, delivered_at)
      ${numbers(turns)} select 'out_' || n, ${session}, 1 + ${ofSession}, 'turn_' || n, 'answer',
        '{"text":"' || ${words} || '","files":[]}', 'delivered', 1, ${at}, ${at}, ${at} from numbers`,
  ]
}
