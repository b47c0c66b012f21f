import type { Database, DatabaseOptions } from './database.ts'
import { isServer } from './place.ts'

/** Each is loaded only when it is used. */
export async function openDatabase(place: string, options: DatabaseOptions = {}): Promise<Database> {
  if (isServer(place)) return (await import('./postgres/database.ts')).openPostgres(place, options)
  return (await import('./sqlite/database.ts')).openSqlite(place, options)
}
