import type { Database, DatabaseOptions } from './database.ts'

export async function openDatabase(place: string, options: DatabaseOptions = {}): Promise<Database> {
  return (await import('./sqlite/database.ts')).openSqlite(place, options)
}
