import type { CallId, SessionId } from '../../domain/ids.ts'
import { sameCall } from '../../domain/messages.ts'
import { latestCalls } from '../../store/calls.ts'
import type { Db } from '../../store/store.ts'

/** A call that repeats itself. `of` is the call of its step that a person is asked about. `times` includes that one. */
type Repeated = { kind: 'none' } | { kind: 'circles'; of: CallId; times: number }

/** This many equal calls, within this time, among this many. */
const times = 3
const windowMs = 60_000
const among = 10

/** More than one step asks for, because calls after this one in its step are among the latest too. */
const most = 300

type Latest = Awaited<ReturnType<typeof latestCalls>>[number]

/**
 * Whether this is the turn's third equal call among the last 10 within a minute, whatever the others returned. A person
 * is asked once for all equal calls of a step. After their answer, counting starts again.
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
