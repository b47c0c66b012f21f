import type { Config } from '../../config/config.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Message } from '../../domain/messages.ts'
import { latestAsking, readMessages } from '../../store/messages.ts'
import type { Db } from '../../store/store.ts'
import { asks } from './history.ts'

/** A session's latest messages: at least `count`, if there are that many, and one that asks for something. */
export async function latestMessages(
  db: Db,
  session: SessionId,
  { from, count }: { from: number; count: number },
): Promise<Message[]> {
  const latest = await readMessages(db, session, { limit: count, from })
  if (latest.some(asks)) return latest
  const asked = await latestAsking(db, session, from)
  return asked === undefined ? latest : [asked, ...latest]
}

/** How many messages are read for a window: before its own, there may be all the results of a step, and their call. */
export const countForWindow = ({
  windowMessages,
  maxCallsPerStep,
}: Pick<Config['agent'], 'windowMessages' | 'maxCallsPerStep'>): number => windowMessages + maxCallsPerStep + 1
