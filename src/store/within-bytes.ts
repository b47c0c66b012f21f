import { setImmediate } from 'node:timers/promises'

/** How much a page holds, unless its only row is larger. */
const pageBytes = 1_000_000
const rowsAtOnce = 100

/**
 * A page of rows that ends early where it gets large, so that neither memory nor a slow line has to take all of it.
 * `read` gives the rows after one, or the first.
 */
export async function withinBytes<Row>(
  limit: number,
  read: (after: Row | undefined, limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const rows: Row[] = []
  let bytes = 0
  for (;;) {
    const wanted = Math.min(rowsAtOnce, limit + 1 - rows.length)
    const more = await read(rows.at(-1), wanted)
    for (const row of more) {
      bytes += Buffer.byteLength(JSON.stringify(row))
      if (rows.length === limit || (rows.length > 0 && bytes > pageBytes)) return { rows, hasMore: true }
      rows.push(row)
    }
    if (more.length < wanted) return { rows, hasMore: false }
    // SQLite answers within the same turn of the event loop, so that much of it would hold up everything else.
    await setImmediate()
  }
}
