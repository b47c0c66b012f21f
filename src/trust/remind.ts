import type { SessionId } from '../domain/ids.ts'
import type { Approval, DecidedBy, Request } from '../domain/request.ts'
import { setNextMove } from '../store/deadlines.ts'
import { pendingRequests } from '../store/list-requests.ts'
import { outboxState } from '../store/outbox.ts'
import { moveRequest, requestsToMove } from '../store/requests.ts'
import type { Store, Tx } from '../store/store.ts'
import { cardKey } from './cards.ts'
import { deciderNamed, describeDecider } from './deciders.ts'
import { earliest, nextReminder } from './reminder-times.ts'
import type { Rules } from './rules.ts'
import { say, tellMoved } from './tell-moved.ts'
import { addresseesOf, moveQuestion, opensAt, seenSince } from './timed-question.ts'
import { trustWords } from './words.ts'

/** How much later to look again at a request whose card isn't posted, ms. */
const unseenMs = 60_000

const decidedBy = (rules: Rules, name: string): DecidedBy => {
  const decider = deciderNamed(rules, name)
  return { decider: name, who: describeDecider(decider), needed: decider.needed }
}

/** When to remind the decider or ask the next one, whichever comes first after `askedAt`. */
function nextMove(rules: Rules, name: string, askedAt: number, reminded: number, now: number): number | undefined {
  const { remind_ms, next } = deciderNamed(rules, name)
  return earliest(
    remind_ms && nextReminder(remind_ms, askedAt, reminded, now),
    next && Math.max(now, askedAt + next.after_ms),
  )
}

const deadlineOf = (rules: Rules, name: string, now: number): number | undefined => {
  const { deny_ms } = deciderNamed(rules, name)
  return deny_ms === undefined ? undefined : now + deny_ms
}

export function timedApproval({ payload, decider }: { payload: Approval; decider: string }, rules: Rules, now: number) {
  return {
    kind: 'approval' as const,
    payload,
    decided: decidedBy(rules, decider),
    deadlineAt: deadlineOf(rules, decider, now),
    remindAt: nextMove(rules, decider, now, 0, now),
  }
}

/** The people and groups a platform can notify. Those who write in the thread see the card anyway. */
function pingOf(request: Request, rules: Rules): string[] {
  if (request.kind !== 'approval') return addresseesOf(request.payload)
  return deciderNamed(rules, request.decided.decider).who.filter((word) => /^(user|group):/.test(word))
}

/** Notifies deciders who may not be in the thread. */
export async function pingDeciders(tx: Tx, request: Request, rules: Rules): Promise<void> {
  const ping = pingOf(request, rules)
  if (ping.length > 0) await say(tx, request, trustWords.answerPing(), ping)
}

/** Nobody is reminded any more of what waits in a session and its child sessions, but in time, others are asked. */
export async function endReminders(tx: Tx, session: SessionId, rules: Rules): Promise<void> {
  for (const request of await pendingRequests(tx.db, session))
    await setNextMove(tx, request, asksOthersAt(request, rules))
}

function asksOthersAt(request: Request, rules: Rules): number | undefined {
  if (request.kind !== 'approval') return opensAt(request.payload, rules.questions, seenSince(request))
  const { next } = deciderNamed(rules, request.decided.decider)
  return next && sinceOf(request) + next.after_ms
}

/** When those were asked who decide now. */
const sinceOf = ({ decided, askedAt }: Request & { kind: 'approval' }): number => decided.since ?? askedAt

/** Reminds those who were asked, or asks others, when it's time. */
export async function moveRequests(store: Store, rules: Rules, now: number): Promise<void> {
  for (const request of await requestsToMove(store.db, now)) await store.transaction((tx) => move(tx, request, rules))
}

async function move(tx: Tx, request: Request, rules: Rules): Promise<void> {
  await tx.hold(request.session)
  // Nobody has seen it yet, and its time begins anew when it is posted.
  if ((await outboxState(tx.db, cardKey(request.id))) === 'pending') await setNextMove(tx, request, tx.now + unseenMs)
  else if (request.kind === 'approval') await moveApproval(tx, request, rules)
  else await moveQuestion(tx, request, rules)
}

async function moveApproval(tx: Tx, request: Request & { kind: 'approval' }, rules: Rules): Promise<void> {
  const { decider } = request.decided
  const { next } = deciderNamed(rules, decider)
  const since = sinceOf(request)
  const escalates = next !== undefined && since + next.after_ms <= tx.now
  const name = escalates ? next.decider : decider
  const decided = { ...decidedBy(rules, name), since: escalates ? tx.now : since }
  const remindAt = nextMove(rules, name, decided.since, request.reminded, tx.now)
  const deadlineAt = escalates ? deadlineOf(rules, name, tx.now) : undefined
  if (!(await moveRequest(tx, request, { decided, remindAt, deadlineAt }))) return
  const moved = { ...request, decided, reminded: request.reminded + 1 }
  const { who, needed } = decided
  await tellMoved(tx, moved, { who, needed, escalated: escalates })
  const told = escalates ? trustWords.decisionEscalated : trustWords.decisionReminder
  await say(tx, request, told({ tool: request.payload.tool, who }), pingOf(moved, rules))
}
