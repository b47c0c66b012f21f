import type { SessionId } from '../domain/ids.ts'
import { prepared } from './prepared.ts'
import type { Db, Tx } from './store.ts'

const ofSession = prepared((db, { session }: { session: SessionId }) =>
  db.selectFrom('session_tools').select('tool').where('session_id', '=', session).orderBy('place'),
)

/** The tools a session got because a person named them, in the order in which they were added. */
export async function loadedTools(db: Db, session: SessionId): Promise<string[]> {
  const rows = await ofSession(db, { session })
  return rows.map(({ tool }) => tool)
}

/** Returns the new ones. */
export async function loadTools(tx: Tx, session: SessionId, tools: string[]): Promise<string[]> {
  if (tools.length === 0) return []
  const known = await loadedTools(tx.db, session)
  const added = tools.filter((tool, place) => !known.includes(tool) && tools.indexOf(tool) === place)
  if (added.length === 0) return []
  const rows = added.map((tool, place) => ({ session_id: session, tool, place: known.length + place }))
  await tx.db.insertInto('session_tools').values(rows).execute()
  return added
}
