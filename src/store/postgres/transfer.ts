import { createHash } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import { list, quoted, readingOf } from '../move/shapes.ts'
import type { Reading, Transfer, Value } from '../move/transfer.ts'
import type { Db } from '../store.ts'
import { poolConfig } from './database.ts'
import { faultOf } from './faults.ts'

const mostRows = 200

/** How long a transaction may wait for the other database. */
const idleMs = 600_000

const ours = `relnamespace = current_schema()::regnamespace`

export const postgresTransfer: Transfer = {
  columns: `select relname as "table", attname as name, format_type(atttypid, atttypmod) as type,
      coalesce(array_position(indkey::int2[], attnum), 0) as "key"
    from pg_class join pg_attribute on attrelid = pg_class.oid
      left join pg_index on indrelid = pg_class.oid and indisprimary
    where ${ours} and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''`,
  references: `select relname as "table", (select relname from pg_class where oid = confrelid) as "to"
    from pg_constraint join pg_class on conrelid = pg_class.oid where ${ours} and contype = 'f'`,
  read: reading,
  makeRoom: async () => undefined,
  async putBack() {},
  async fill(db, shapes, work) {
    await sql.raw(`set local idle_in_transaction_session_timeout = ${idleMs}`).execute(db)
    const restore = await dropReferences(db)
    await work()
    for (const statement of restore) await sql.raw(statement).execute(db)
    await goOnAfter(db)
    // Until then the server would plan for empty tables.
    for (const { table } of shapes) await sql.raw(`analyze ${quoted(table)}`).execute(db)
  },
  async insert(db, { table, columns, types }, rows) {
    let changed = 0
    const values = columns.map((_, column) =>
      rows.map((row) => {
        const value = row[column]
        if (typeof value !== 'string') return value
        const text = value.replaceAll('\0', '\ufffd')
        const stored = columns[column] === 'path' ? shortened(text) : text
        if (stored !== value) changed++
        return stored
      }),
    )
    const arrays = types.map((type, column) => `$${column + 1}::${type}[]`).join(', ')
    const statement = `insert into ${quoted(table)} (${list(columns)}) overriding system value select * from unnest(${arrays})`
    await db.executeQuery(CompiledQuery.raw(statement, values))
    return changed
  },
}

/** Paths are in indexes, which take at most 2,704 bytes with a row's other keys. */
const mostPathBytes = 2_400

/** It still names one file, and stays too long for anything to be stored by it. */
function shortened(path: string): string {
  if (Buffer.byteLength(path) <= mostPathBytes) return path
  const hash = createHash('sha256').update(path).digest('hex')
  return `${new TextDecoder().decode(Buffer.from(path).subarray(0, mostPathBytes - 100), { stream: true })}…${hash}`
}

/**
 * Returns the statements that put them back. To check each row alone takes long, and would forbid rows that refer to
 * later ones.
 */
async function dropReferences(db: Db): Promise<string[]> {
  const { rows } = await sql
    .raw<{ table: string; name: string; definition: string }>(
      `select relname as "table", conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
      from pg_constraint join pg_class on conrelid = pg_class.oid where ${ours} and contype = 'f' order by conname`,
    )
    .execute(db)
  for (const { table, name } of rows)
    await sql.raw(`alter table ${quoted(table)} drop constraint ${quoted(name)}`).execute(db)
  return rows.map(
    ({ table, name, definition }) => `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`,
  )
}

/** Sequences know nothing of rows that came with their numbers. */
async function goOnAfter(db: Db): Promise<void> {
  const { rows } = await sql
    .raw<{ table: string; column: string; sequence: string }>(
      `select relname as "table", attname as "column", pg_get_serial_sequence(quote_ident(relname), attname) as sequence
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where ${ours} and relkind = 'r' and attnum > 0 and not attisdropped
        and pg_get_serial_sequence(quote_ident(relname), attname) is not null`,
    )
    .execute(db)
  for (const { table, column, sequence } of rows) {
    const last = `(select max(${quoted(column)}) from ${quoted(table)})`
    await sql.raw(`select setval('${sequence}', ${last}) where ${last} is not null`).execute(db)
  }
}

const { BOOL, BYTEA, FLOAT4, FLOAT8, INT2, INT4, INT8 } = pg.types.builtins
const parsed: number[] = [BOOL, BYTEA, FLOAT4, FLOAT8, INT2, INT4]

/** Whole numbers of 64 bits, and whatever has no form in JavaScript, as they are. */
const getTypeParser = ((oid: number, format?: 'text') => {
  if (oid === INT8) return BigInt
  return parsed.includes(oid) ? pg.types.getTypeParser(oid, format) : String
}) as typeof pg.types.getTypeParser

/** Throws Unavailable. */
async function reading(url: string): Promise<Reading> {
  const client = new pg.Client({ ...poolConfig(url, 1), types: { getTypeParser } })
  client.on('error', () => {})
  const ask = async (text: string) => {
    try {
      return (await client.query<Value[]>({ text, rowMode: 'array' })).rows
    } catch (thrown) {
      throw faultOf(thrown)
    }
  }
  await client.connect().catch((thrown) => Promise.reject(faultOf(thrown)))
  await ask('begin isolation level repeatable read, read only')
  await ask(`set local idle_in_transaction_session_timeout = ${idleMs}`)
  return {
    async *batches(shape) {
      await ask(`declare every_row no scroll cursor for ${readingOf(shape)}`)
      for (;;) {
        const rows = await ask(`fetch ${mostRows} from every_row`)
        if (rows.length > 0) yield rows
        if (rows.length < mostRows) break
      }
      await ask('close every_row')
    },
    close: () => client.end(),
  }
}
