/** A table as the database describes it. */
export interface Shape {
  table: string
  columns: string[]
  /** The database's own names of the columns' types. */
  types: string[]
  /** The primary key. */
  key: string[]
}

export interface ColumnFact {
  table: string
  name: string
  type: string
  /** Its place in the primary key from 1; 0 when it isn't part of it. */
  key: number
}

export interface Reference {
  table: string
  to: string
}

/**
 * Who runs on a database, how far its words are in an index, and which migrations it has isn't part of the bot's data.
 */
const stays = (table: string): boolean => ['locks', 'wakes', 'searched'].includes(table) || table.startsWith('kysely_')

/** Which rows of a table go along: notes about the database itself don't. */
export const goes = (table: string): string => (table === 'notes' ? ` where name not like 'store.%'` : '')

/** What has to be moved: a table comes after those that it refers to. */
export function shapesOf(columns: ColumnFact[], references: Reference[]): Shape[] {
  const tables = Map.groupBy(
    columns.filter(({ table }) => !stays(table)),
    ({ table }) => table,
  )
  const ordered = new Set<string>()
  const visit = (table: string, above: string[]) => {
    if (ordered.has(table) || above.includes(table) || !tables.has(table)) return
    for (const { to } of references.filter((one) => one.table === table)) visit(to, [...above, table])
    ordered.add(table)
  }
  for (const table of [...tables.keys()].toSorted()) visit(table, [])
  return [...ordered].map((table) => {
    const facts = tables.get(table) ?? []
    const inKey = facts.filter(({ key }) => key > 0).toSorted((one, other) => one.key - other.key)
    return {
      table,
      columns: facts.map(({ name }) => name),
      types: facts.map(({ type }) => type),
      key: inKey.map(({ name }) => name),
    }
  })
}

/** What one database has and the other hasn't. */
export function differences(source: Shape[], target: Shape[]): string[] {
  const lines = (shapes: Shape[]) => shapes.flatMap(({ table, columns }) => columns.map((name) => `${table}.${name}`))
  const [here, there] = [new Set(lines(source)), new Set(lines(target))]
  return [...[...here].filter((one) => !there.has(one)), ...[...there].filter((one) => !here.has(one))]
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const list = (names: string[]): string => names.map(quoted).join(', ')

/** In the order of the key, so that what may only grow arrives in its order. */
export const readingOf = ({ table, columns, key }: Shape): string =>
  `select ${list(columns)} from ${quoted(table)}${goes(table)}${key.length === 0 ? '' : ` order by ${list(key)}`}`
