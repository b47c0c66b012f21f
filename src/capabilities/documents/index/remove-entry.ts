import { setImmediate } from 'node:timers/promises'
import type { IndexDatabase } from './database.ts'

/** Rows that are deleted at once: a few milliseconds. */
const goRows = 200

/** Removes an entry step by step. Searches stop finding it at once. */
export async function removeEntry(database: IndexDatabase, id: number): Promise<void> {
  const chunks = database.first<{ first_chunk: number; last_chunk: number }>(
    `SELECT first_chunk, (SELECT coalesce(max(id), 0) FROM chunks WHERE id BETWEEN first_chunk AND last_chunk) AS last_chunk
     FROM documents WHERE id = ?`,
    id,
  )
  if (chunks === undefined) return
  const { generation } = database
  database.run("UPDATE documents SET state = 'making', key = 'removed:' || id, content = '' WHERE id = ?", id)
  for (let from = chunks.first_chunk; from <= chunks.last_chunk; from += goRows) {
    await setImmediate()
    if (database.generation !== generation) return
    const range = [from, Math.min(from + goRows - 1, chunks.last_chunk)]
    database.transaction(() => {
      database.run('DELETE FROM terms WHERE rowid BETWEEN ? AND ?', ...range)
      database.run('DELETE FROM chunks WHERE id BETWEEN ? AND ?', ...range)
      database.run('DELETE FROM vectors WHERE chunk BETWEEN ? AND ?', ...range)
    })
  }
  for (const table of ['texts', 'vocabulary', 'parts']) {
    const limited = table === 'parts' ? '' : `AND rowid IN (SELECT rowid FROM ${table} WHERE document = ? LIMIT 50)`
    for (let changes = 1; changes > 0; ) {
      await setImmediate()
      if (database.generation !== generation) return
      const values = limited === '' ? [id] : [id, id]
      changes = database.run(`DELETE FROM ${table} WHERE document = ? ${limited}`, ...values).changes
    }
  }
  database.run('DELETE FROM embedded WHERE document = ?', id)
  database.run('DELETE FROM documents WHERE id = ?', id)
}
