import type { OpenCall } from '../agent/journal.ts'
import type { SessionId } from '../domain/ids.ts'
import { latestCalls } from '../store/calls.ts'
import type { Db } from '../store/store.ts'

/** The same call so often, within so long, among so many: H7. */
const times = 3
const windowMs = 60_000
const among = 10

/** More than one step asks for: those after this call in its step are among the latest. */
const most = 300

/**
 * Whether this call would be the turn's third of the same, one of the last 10 within a minute, with the same result each time.
 * What changes between looks is no loop, and after a person was asked, counting begins anew.
 */
export async function isLoop(db: Db, session: SessionId, call: OpenCall, now: number): Promise<boolean> {
  const latest = await latestCalls(db, session, most)
  const place = latest.findIndex(({ id }) => id === call.id)
  const turn = latest[place]?.turn
  const before = latest.slice(place + 1, place + among)
  const step = latest[place]?.proposedAt
  // Those of the same step are asked of each by itself: they do not wait for each other.
  const asked = before.findIndex((one) => one.asked && one.hash === call.hash && one.proposedAt !== step)
  const counted = (asked === -1 ? before : before.slice(0, asked))
    .filter((one) => one.turn === turn && one.hash === call.hash && one.proposedAt > now - windowMs)
    // A result may name its call, and how long it took.
    .map(({ id, result }) => result?.replaceAll(id, '').replace(/\d+(\.\d+)? m?s\b/g, ''))
  const results = counted.slice(0, times - 1).filter((result) => result !== undefined)
  return counted.length >= times - 1 && new Set(results).size <= 1
}
