import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './store.ts'

/**
 * The clock was set back by this much (ms): whatever would be tried again after a pause is tried when the pause is
 * over, and not so much later. Alarms, deadlines and grants mean a time of day, so they keep theirs.
 */
export async function clockWentBack({ db, now }: Tx, byMs: number): Promise<void> {
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
}
