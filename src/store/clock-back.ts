import { type RawBuilder, sql } from 'kysely'
import { nextRun } from '../kit/calendar/time.ts'
import { findByKeys } from './inbox.ts'
import type { InboxPayload } from './inbox-event.ts'
import { readNote, writeNote } from './notes.ts'
import type { Tx } from './store.ts'

/** Several processes that follow the database server's clock notice a step within about ten seconds; in ms. */
const noticedWithinMs = 60_000

const corrected = 'clock.corrected'

/**
 * The clock was set back by this much (ms): whatever would be tried again after a pause is tried when the pause is
 * over, and not so much later. Alarms, deadlines and grants mean a time of day, so they keep theirs, but an alarm that
 * repeats continues from now if it has rung by the wrong time. Does nothing if another process than `holder` has just
 * done it.
 */
export async function clockWentBack(tx: Tx, byMs: number, holder: string): Promise<void> {
  const { db, now } = tx
  await tx.alone(corrected)
  const note = await readNote(db, corrected)
  const last: { holder: string; at: number } | undefined = note === undefined ? undefined : JSON.parse(note)
  if (last !== undefined && last.holder !== holder && last.at <= now && now - last.at < noticedWithinMs) return
  await writeNote(tx, corrected, JSON.stringify({ holder, at: now }))
  const sooner = (column: string): RawBuilder<number> => {
    const at = sql.ref<number>(column)
    return sql<number>`case when ${at} - ${byMs} > ${now} then ${at} - ${byMs} else ${now} end`
  }
  await db
    .updateTable('outbox')
    .set({ next_at: sooner('next_at') })
    .where('state', '=', sql.lit('pending'))
    .where('next_at', '>', now)
    .execute()
  await db
    .updateTable('jobs')
    .set({ due_at: sooner('due_at') })
    .where('state', '=', sql.lit('open'))
    .where('due_at', '>', now)
    .execute()
  await repeatFromNow(tx)
}

/** For each time an alarm rings once, also if it has rung for that while the clock was ahead. */
async function repeatFromNow(tx: Tx): Promise<void> {
  const { db, now } = tx
  const early = await db
    .selectFrom('alarms')
    .selectAll()
    .where('state', '=', sql.lit('pending'))
    .where('fired_at', '>', now)
    .execute()
  for (const { id, session_id, cron, due_at, time_zone: timeZone } of early) {
    if (cron === null) continue
    const rings = await findByKeys(db, session_id, `alarm:${id}:`)
    const rung = new Set(rings.map(({ payload }) => (payload as InboxPayload['alarm']).dueAt))
    let next = nextRun(cron, { after: now, timeZone })
    while (rung.has(next)) next = nextRun(cron, { after: next, timeZone })
    await db
      .updateTable('alarms')
      .set({ due_at: next })
      .where('id', '=', id)
      .where('due_at', '=', due_at)
      .where('due_at', '>', next)
      .execute()
  }
}
