import { look } from './look.ts'

/** What a campaign reads of the bot's database. */
export interface Stored {
  all<Row>(query: string): Promise<Row[]>
  /** What the database itself finds wrong. */
  damage(): Promise<string[]>
}

/** In SQLite's file. */
export const storedIn = (file: string): Stored => ({
  // The columns are those of the schema's types.
  all: async <Row>(query: string) => look(file, (database) => database.prepare(query).all() as Row[]),
  damage: async () =>
    look(file, (database) => {
      const integrity = database.pragma('integrity_check', { simple: true })
      const strangers = database.pragma('foreign_key_check') as unknown[]
      return [
        ...(integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]),
        ...strangers.map((row) => `foreign_key_check: ${JSON.stringify(row)}`),
      ]
    }),
})
