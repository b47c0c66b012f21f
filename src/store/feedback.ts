import type { ThreadRef } from '../domain/chat.ts'
import type { EventData } from '../domain/events.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Db } from './store.ts'

export type KnownFeedback = Omit<EventData['feedback'], 'message_id'> & {
  at: number
  session: SessionId
  title: string
  thread: ThreadRef
}

/** What people think of answers, newest first; of each person, what counts. */
export async function listFeedback(
  db: Db,
  { value, limit }: { value?: 'good' | 'bad' | undefined; limit: number },
): Promise<KnownFeedback[]> {
  let query = db
    .selectFrom('events')
    .innerJoin('sessions', 'sessions.id', 'events.session_id')
    .select(['events.data', 'events.created_at as at', 'sessions.id as session', 'sessions.title'])
    .select(['sessions.platform', 'sessions.tenant', 'sessions.project', 'sessions.thread'])
    .where('events.type', '=', 'feedback')
    // What somebody has changed since has lost its key.
    .where('events.key', 'is not', null)
    .orderBy('events.created_at', 'desc')
    .orderBy('events.id', 'desc')
    .limit(limit)
  if (value !== undefined) query = query.where('events.data', 'like', `%"value":"${value}"%`)
  const rows = await query.execute()
  return rows.map(({ data, at, session, title, platform, tenant, project, thread }) => {
    const { message_id: _, ...said } = JSON.parse(data) as EventData['feedback']
    return { ...said, at, session, title, thread: { platform, tenant, project, thread } }
  })
}
