import { type Compilable, type CompiledQuery, type DialectAdapter, type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

type Db = Kysely<Tables>

/** Stands for a value while a statement is built. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Each dialect has one adapter. */
function oncePerDialect<Made>(): (db: Db, make: () => Made) => Made {
  const known = new WeakMap<DialectAdapter, Made>()
  return (db, make) => {
    const { adapter } = db.getExecutor()
    const made = known.get(adapter) ?? make()
    known.set(adapter, made)
    return made
  }
}

type Values = Record<string, string | number | null>

/**
 * A statement that is built once, because building it takes longer than SQLite needs to run it. While it is built,
 * `values` holds placeholders, which may only be passed on to Kysely.
 */
export function prepared<V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  const once = oncePerDialect<CompiledQuery>()
  return async (db, values) => {
    const compiled = once(db, () => build(db, placeholders<V>()).compile())
    const parameters = compiled.parameters.map((one) => (one instanceof Parameter ? values[one.name] : one))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters } as CompiledQuery<Row>)
    return rows
  }
}

/** Each property is a placeholder of that name, which Kysely treats as a value. */
const placeholders = <V extends Values>(): V =>
  new Proxy({}, { get: (_, name) => new Parameter(String(name)) }) as unknown as V

/** SQLite limits the number of values in one statement. */
const mostRows = 100

/** An insert of many rows in one statement, built once for each number of rows. */
export function preparedRows<Table extends keyof Tables>(table: Table, columns: (keyof Tables[Table] & string)[]) {
  const once = oncePerDialect<Map<number, CompiledQuery>>()
  const build = (db: Db, count: number): CompiledQuery => {
    const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`
    const rows = sql.join(Array.from({ length: count }, () => row))
    return sql`insert into ${sql.table(table)} (${sql.join(columns.map((one) => sql.ref(one)))}) values ${rows}`.compile(
      db,
    )
  }
  return async (db: Db, rows: Tables[Table][]): Promise<void> => {
    const compiled = once(db, () => new Map())
    for (let first = 0; first < rows.length; first += mostRows) {
      const some = rows.slice(first, first + mostRows)
      const known = compiled.get(some.length) ?? build(db, some.length)
      compiled.set(some.length, known)
      await db.executeQuery({ ...known, parameters: some.flatMap((row) => columns.map((one) => row[one])) })
    }
  }
}
