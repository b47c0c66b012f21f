import type { CallId, SessionId } from '../domain/ids.ts'
import { sameCall } from '../domain/messages.ts'
import { latestCalls } from '../store/calls.ts'
import type { Db } from '../store/store.ts'

/** A call that goes round in circles: `of` is the one of its step about which a person is asked. `times`: with that one. */
type Repeated = { kind: 'none' } | { kind: 'circles'; of: CallId; times: number }

/** The same call so often, within so long, among so many: H7. */
const times = 3
const windowMs = 60_000
const among = 10

/** More than one step asks for: those after this call in its step are among the latest. */
const most = 300

type Latest = Awaited<ReturnType<typeof latestCalls>>[number]

/**
 * Whether this call is the turn's third of the same, one of the last 10 within a minute, whatever came of the others. A person is
 * asked once for all the same calls of a step; after their answer, counting begins anew.
 */
export async function repeatedCall(db: Db, session: SessionId, id: CallId): Promise<Repeated> {
  const latest = await latestCalls(db, session, most)
  const place = latest.findIndex((one) => one.id === id)
  const call = latest[place]
  if (call === undefined) return { kind: 'none' }
  const key = sameCall(call)
  const isLike = (one: Latest) => one.turn === call.turn && one.name === call.name && sameCall(one) === key

  const inStep = latest.find((one) => one.asked && one.proposedAt === call.proposedAt && isLike(one))
  if (inStep !== undefined) return { kind: 'circles', of: inStep.id, times }
  const before = latest.slice(place + 1, place + among)
  const answered = before.findIndex((one) => one.asked && isLike(one))
  const counted = (answered === -1 ? before : before.slice(0, answered)).filter(
    (one) => one.proposedAt > call.proposedAt - windowMs && isLike(one),
  )
  return counted.length >= times - 1 ? { kind: 'circles', of: id, times } : { kind: 'none' }
}
