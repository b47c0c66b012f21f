import { sql } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import { field } from './json.ts'
import type { ThreadSearch } from './message-search.ts'
import { type ProjectRef, type Session, toSession } from './sessions.ts'
import type { Db, Tx } from './store.ts'

/** A place in the list: right behind the thread that stood there. */
export interface ListPlace {
  pinned: boolean
  updatedAt: number
  id: string
}

export interface ListOptions {
  project?: Partial<ProjectRef> | undefined
  /** The id of who began them. */
  person?: string | undefined
  /** Only archived ones, or only the others; both if left out. */
  archived?: boolean | undefined
  search?: ThreadSearch | undefined
  after?: ListPlace | undefined
  limit: number
}

/** A page of threads: pinned ones first, then the last used. */
export async function listThreads(db: Db, options: ListOptions): Promise<Session[]> {
  const pinned = options.after?.pinned === false ? [] : await part(db, options, true, options.limit)
  const left = options.limit - pinned.length
  return left === 0 ? pinned : [...pinned, ...(await part(db, options, false, left))]
}

async function part(db: Db, options: ListOptions, pinned: boolean, limit: number) {
  const { project, person, archived, search, after } = options
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .where('parent', 'is', null)
    .where('deleted_at', 'is', null)
    .where('pinned_at', pinned ? 'is not' : 'is', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
  if (archived !== undefined)
    query = query.where(({ or, eb }) =>
      archived
        ? eb('archived_inbox', '=', eb.ref('next_inbox'))
        : or([eb('archived_inbox', 'is', null), eb('archived_inbox', '<>', eb.ref('next_inbox'))]),
    )
  for (const column of ['platform', 'tenant', 'project'] as const) {
    const value = project?.[column]
    if (value !== undefined) query = query.where(column, '=', value)
  }
  if (person !== undefined) query = query.where(field('person', '$.id'), '=', person)
  if (search !== undefined) query = query.where(search.condition)
  if (after?.pinned === pinned)
    query = query.where(
      sql<boolean>`(updated_at < ${after.updatedAt} or (updated_at = ${after.updatedAt} and id < ${after.id}))`,
    )
  return (await query.limit(limit).execute()).map(toSession)
}

export interface ThreadChange {
  title?: string | undefined
  pinned?: boolean | undefined
  archived?: boolean | undefined
}

/** Whatever isn't named stays. Its place in the list stays too, because nothing happened in the thread. */
export async function changeThread(tx: Tx, session: SessionId, change: ThreadChange): Promise<void> {
  const { title, pinned, archived } = change
  await tx.db
    .updateTable('sessions')
    .set(({ ref }) => ({
      id: ref('id'),
      ...(title !== undefined && { title: tx.mask(title) }),
      ...(pinned !== undefined && { pinned_at: pinned ? tx.now : null }),
      ...(archived !== undefined && { archived_inbox: archived ? ref('next_inbox') : null }),
    }))
    .where('id', '=', session)
    .execute()
}
