import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SessionId } from '../../domain/ids.ts'
import type { Store, Tx } from '../store.ts'
import { isSaid, type WordIndex } from '../word-index.ts'

/**
 * An FTS5 index of what was said, which is brought up to date when somebody searches, so that no turn waits for it. A
 * row's number is its session's number in `searched`, then 24 bits for the message; 0 stands for the title. Triggers
 * take out what is changed or deleted.
 */
const bits = 24

/** Messages of one transaction, because nothing else is written meanwhile. */
const mostAtOnce = 500

/** Messages that are read in one go, which takes a few milliseconds. */
const readAtOnce = 500

/** Sessions used before that were complete the last time, ms. Their time of use may be up to a minute late. */
const slackMs = 120_000

interface Behind {
  id: SessionId
  title: string
  last: number
  number: number | null
  upTo: number
}

/** The clock may be set back by this much unnoticed, ms: less than the slack has left. */
const toleranceMs = 30_000

/** When the index was last complete, by the store's clock and by one that is never set. */
interface Complete {
  at: number
  passedMs: number
}

const caughtUp = new WeakMap<Store, Complete>()

/** From when on sessions were used that may be behind. After the clock was set back, that is any of them. */
const sinceOf = (last: Complete | undefined, { at, passedMs }: Complete): number =>
  last === undefined || at - last.at < passedMs - last.passedMs - toleranceMs ? 0 : last.at - slackMs

export const sqliteWords: WordIndex = {
  async catchUp(store) {
    const last = caughtUp.get(store)
    // What is deleted must not stay in the file.
    if (last === undefined)
      await store.transaction((tx) =>
        sql`insert into message_words (message_words, rank) values ('secure-delete', 1)`.execute(tx.db),
      )
    let begun: Complete | undefined
    const more = (tx: Tx): Promise<boolean> => {
      begun ??= { at: tx.now, passedMs: performance.now() }
      return takeIn(tx, sinceOf(last, begun))
    }
    while (await store.transaction(more));
    if (begun !== undefined) caughtUp.set(store, begun)
  },
  has(words) {
    return sql`sessions.id in (select session_id from searched where number in (
      select rowid >> ${sql.lit(bits)} from message_words where message_words match ${matching(words)}))`
  },
  async latest(db, session, words) {
    const { rows } = await sql<{ text: string }>`
      select text from messages where session_id = ${session} and seq = (
        select message_words.rowid & ${sql.lit(2 ** bits - 1)} from searched s, message_words
        where s.session_id = ${session} and message_words match ${matching(words)}
          and message_words.rowid > s.number << ${sql.lit(bits)} and message_words.rowid < (s.number + 1) << ${sql.lit(bits)}
        order by message_words.rowid desc limit 1)`.execute(db)
    return rows[0]?.text
  },
  async sessionsWith(db, message) {
    const { rows } = await sql<{ last: number }>`select coalesce(max(rowid), 0) as last from messages`.execute(db)
    const found = new Set<SessionId>()
    for (let from = 1; from <= (rows[0]?.last ?? 0); from += readAtOnce) {
      const { rows: some } = await sql<{ id: SessionId }>`select session_id as id from messages
        where rowid between ${from} and ${from + readAtOnce - 1} and ${message}`.execute(db)
      for (const { id } of some) found.add(id)
      // SQLite answers within the same turn of the event loop, so that reading all would hold up everything else.
      await setImmediate()
    }
    return [...found]
  },
}

const matching = (words: string[]): string => words.map((word) => `"${word}"*`).join(' ')

/** Takes in a part of what is new; false when that was all. */
async function takeIn(tx: Tx, since: number): Promise<boolean> {
  const { rows } = await sql<Behind>`
    select s.id, s.title, s.next_message - 1 as last, w.number, coalesce(w.up_to, 0) as "upTo"
    from sessions s left join searched w on w.session_id = s.id
    where s.updated_at >= ${since} and s.parent is null and s.deleted_at is null
      and (w.number is null or w.up_to < s.next_message - 1) limit 100`.execute(tx.db)
  let left = mostAtOnce
  for (const one of rows) {
    const number = one.number ?? (await takeInTitle(tx, one))
    const to = Math.min(one.last, one.upTo + left)
    await sql`insert into message_words (rowid, text)
      select (${number} << ${sql.lit(bits)}) | seq, text from messages
      where session_id = ${one.id} and seq > ${one.upTo} and seq <= ${to} and ${sql.raw(isSaid)}`.execute(tx.db)
    await sql`update searched set up_to = ${to} where number = ${number}`.execute(tx.db)
    left -= to - one.upTo
    if (left <= 0) break
  }
  return rows.length > 0
}

async function takeInTitle({ db }: Tx, { id, title }: Behind): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    insert into searched (session_id, up_to) values (${id}, 0) returning number`.execute(db)
  const number = rows[0]?.number ?? 0
  await sql`insert into message_words (rowid, text) values (${number} << ${sql.lit(bits)}, ${title})`.execute(db)
  return number
}
