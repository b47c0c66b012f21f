import { sql } from 'kysely'
import type { RequestId, SessionId } from '../domain/ids.ts'
import type { Request } from '../domain/request.ts'
import { prepared } from './prepared.ts'
import { requests, toRequest } from './requests.ts'
import type { Db } from './store.ts'

interface Listed {
  state?: Request['state'] | undefined
  session?: SessionId | undefined
  order?: Order
  /** Where a list goes on. */
  after?: { at: number; id: string } | undefined
  limit: number
}

/** `lastEnded` suits only those that have ended: it changes with that, and whoever pages would miss some. */
type Order = 'oldest' | 'lastAsked' | 'lastEnded'

/** A session's include those of its children. */
export const listRequests = async (db: Db, options: Listed): Promise<Request[]> =>
  (await listed(db, options).execute()).map(toRequest)

function listed(db: Db, { state, session, order = 'oldest', after, limit }: Listed) {
  const way = order === 'oldest' ? 'asc' : 'desc'
  let query = requests(db).limit(limit)
  for (const column of columns[order]) query = query.orderBy(column, way)
  if (after !== undefined) query = query.where(isBehind(after, order))
  if (state !== undefined) query = query.where('state', '=', sql.lit(state))
  if (session !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('session_id', '=', session),
        eb('session_id', 'in', eb.selectFrom('sessions').select('sessions.id').where('parent', '=', session)),
      ]),
    )
  }
  return query
}

const id = sql<RequestId>`id`

/** An id begins with when it was asked. */
const columns = {
  oldest: [sql<number>`asked_at`, id],
  lastAsked: [id],
  lastEnded: [sql<number>`coalesce(answered_at, asked_at)`, id],
}

function isBehind(after: { at: number; id: string }, order: Order) {
  if (order === 'lastAsked') return sql<boolean>`id < ${after.id}`
  const [at] = columns[order]
  const sign = order === 'oldest' ? sql`>` : sql`<`
  // SQLite finds an expression in an index by a single value only.
  return sql<boolean>`${at} ${sign}= ${after.at} and (${at}, id) ${sign} (${after.at}, ${after.id})`
}

const pendingOf = prepared((db, { session }: { session: SessionId }) =>
  listed(db, { state: 'pending', session, limit: 1000 }),
)

export const pendingRequests = async (db: Db, session: SessionId): Promise<Request[]> =>
  (await pendingOf(db, { session })).map(toRequest)

/** How many requests wait, for each session that has some. A child's count for its parent. */
export async function countPending(db: Db): Promise<Map<SessionId, number>> {
  const home = sql<SessionId>`coalesce(sessions.parent, sessions.id)`
  const rows = await db
    .selectFrom('requests')
    .innerJoin('sessions', 'sessions.id', 'requests.session_id')
    .select(({ fn }) => [home.as('session_id'), fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('pending'))
    .groupBy(home)
    .execute()
  return new Map(rows.map(({ session_id, count }) => [session_id, count]))
}
