import { sql } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import type { Request } from '../domain/request.ts'
import { prepared } from './prepared.ts'
import { requests, toRequest } from './requests.ts'
import type { Db } from './store.ts'

interface Listed {
  state?: Request['state'] | undefined
  session?: SessionId | undefined
  /** The oldest first, by when they were asked, unless it says otherwise. */
  latestFirst?: boolean
  /** Where a list goes on. */
  after?: { at: number; id: string } | undefined
  limit: number
}

const latest = sql<number>`coalesce(answered_at, asked_at)`

/** When it was answered, cancelled, or else asked. */
export const latestAt = ({ askedAt, answeredAt }: Request): number => answeredAt ?? askedAt

/** A session's include those of its children. The latest are those that were answered, cancelled or asked last. */
export const listRequests = async (db: Db, options: Listed): Promise<Request[]> =>
  (await listed(db, options).execute()).map(toRequest)

function listed(db: Db, { latestFirst = false, after, ...options }: Listed) {
  const at = latestFirst ? latest : sql<number>`asked_at`
  const [order, isAfter] = latestFirst ? (['desc', sql`<`] as const) : (['asc', sql`>`] as const)
  let query = requests(db).orderBy(at, order).orderBy('id', order).limit(options.limit)
  if (after !== undefined) {
    // SQLite finds an expression in an index by a single value only.
    const isThere = sql<boolean>`${at} ${isAfter}= ${after.at} and (${at}, id) ${isAfter} (${after.at}, ${after.id})`
    query = query.where(isThere)
  }
  if (options.state !== undefined) query = query.where('state', '=', sql.lit(options.state))
  if (options.session !== undefined) {
    const { session } = options
    query = query.where((eb) =>
      eb.or([
        eb('session_id', '=', session),
        eb('session_id', 'in', eb.selectFrom('sessions').select('sessions.id').where('parent', '=', session)),
      ]),
    )
  }
  return query
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
