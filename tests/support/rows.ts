import Database from 'better-sqlite3'
import { isServer } from '../../src/store/place.ts'
import { askPostgres } from './ask-postgres.ts'

export type Row = Record<string, unknown>

/** What a query finds in a bot's database, by a second hand. */
export function rowsIn<Found = Row>(place: string, query: string): Found[] {
  if (isServer(place)) {
    return askPostgres(place, `select coalesce(json_agg(listed), '[]') as found from (${query}) listed`) as Found[]
  }
  const database = new Database(place, { readonly: true })
  try {
    return database.prepare<[], Found>(query).all()
  } finally {
    database.close()
  }
}

export function changeIn(place: string, ...statements: string[]): void {
  if (isServer(place)) return void askPostgres(place, statements.join(';\n'))
  const database = new Database(place)
  try {
    for (const statement of statements) database.exec(statement)
  } finally {
    database.close()
  }
}

/** The rows of every table, as JSON, but for SQLite's index of words, which is made anew elsewhere. */
export function tablesIn(place: string): Map<string, string> {
  const names = isServer(place)
    ? `select table_name as name from information_schema.tables where table_schema = 'public'`
    : `select name from pragma_table_list where schema = 'main' and type = 'table' and name <> 'searched'`
  const tables = rowsIn<{ name: string }>(place, names)
  return new Map(tables.map(({ name }) => [name, JSON.stringify(rowsIn(place, `select * from "${name}"`))]))
}
