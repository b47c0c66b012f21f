import { sql } from 'kysely'
import { Failure } from '../../kit/failure.ts'
import { type AuditVerdict, verifyAudit } from '../audit-chain.ts'
import type { Db } from '../store.ts'
import { storeWords } from '../words.ts'
import { type ColumnFact, differences, goes, quoted, type Reference, type Shape, shapesOf } from './shapes.ts'
import type { Transfer } from './transfer.ts'
import { transferOf } from './transfer-of.ts'

export interface Side {
  place: string
  /** In the target, its transaction. */
  db: Db
}

export interface Copied {
  /** By table. */
  rows: Record<string, number>
  /** Texts that the target can't hold as they were. */
  changed: number
  audit: AuditVerdict
}

/** Copies everything into empty tables, and compares. Throws `move_failed`; whatever `signal` was aborted with. */
export async function copyAll(source: Side, target: Side, signal: AbortSignal): Promise<Copied> {
  const [from, to] = [await transferOf(source.place), await transferOf(target.place)]
  const shapes = await shapesIn(target.db, to)
  const different = differences(await shapesIn(source.db, from), shapes)
  if (different.length > 0) throw failed(storeWords.schemasDiffer({ different: different.join(', ') }))
  const reading = await from.read(source.place)
  const rows: Record<string, number> = {}
  let changed = 0
  try {
    await to.fill(target.db, shapes, async () => {
      for (const shape of shapes) {
        let count = 0
        for await (const batch of reading.batches(shape)) {
          signal.throwIfAborted()
          changed += await to.insert(target.db, shape, batch)
          count += batch.length
        }
        rows[shape.table] = count
      }
    })
  } finally {
    await reading.close()
  }
  for (const { table } of shapes) await compareCounts(table, rows[table] ?? 0, [source.db, target.db])
  const [before, audit] = [await verifyAudit(source.db), await verifyAudit(target.db)]
  if (JSON.stringify(before) !== JSON.stringify(audit)) throw failed(storeWords.auditWouldDiffer())
  return { rows, changed, audit }
}

const failed = (fact: string): Failure => new Failure('move_failed', fact, storeWords.moveFailedRemedy())

async function shapesIn(db: Db, { columns, references }: Transfer): Promise<Shape[]> {
  const facts = await sql.raw<ColumnFact>(columns).execute(db)
  return shapesOf(facts.rows, (await sql.raw<Reference>(references).execute(db)).rows)
}

async function compareCounts(table: string, copied: number, sides: Db[]): Promise<void> {
  for (const db of sides) {
    const { rows } = await sql
      .raw<{ count: number }>(`select count(*) as count from ${quoted(table)}${goes(table)}`)
      .execute(db)
    if (rows[0]?.count !== copied)
      throw failed(storeWords.rowCountDiffers({ table, count: rows[0]?.count ?? 0, copied }))
  }
}

/** Whether there is nothing in a database that would go along. */
export async function isEmpty({ place, db }: Side): Promise<boolean> {
  for (const { table } of await shapesIn(db, await transferOf(place))) {
    const { rows } = await sql.raw(`select 1 from ${quoted(table)}${goes(table)} limit 1`).execute(db)
    if (rows.length > 0) return false
  }
  return true
}
