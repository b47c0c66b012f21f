import type { Engine } from '../domain/engine.ts'
import { newId } from '../domain/ids.ts'
import type { Question } from '../domain/question.ts'
import type { Approval, DecidedBy, Request } from '../domain/request.ts'
import { appendAudit } from '../store/audit.ts'
import { insertOutbox } from '../store/outbox.ts'
import { moveRequest, overdueRequests, requestsToMove } from '../store/requests.ts'
import type { Store, Tx } from '../store/store.ts'
import { answerFor } from './answer-for.ts'
import { showMoved } from './cards.ts'
import { deciderNamed, describeDecider } from './deciders.ts'
import { matchAnswer } from './match-option.ts'
import type { Rules } from './rules.ts'
import { tellOfRequest } from './tell-request.ts'
import { trustWords } from './words.ts'

const decidedBy = (rules: Rules, name: string): DecidedBy => {
  const decider = deciderNamed(rules, name)
  return { decider: name, who: describeDecider(decider), needed: decider.needed }
}

/** A reminder takes at most so many times as long as the first one. */
const rarest = 32

/**
 * When to remind next of what was asked at `askedAt`. The first three come in equal steps, each later one takes twice
 * as long. Neither a pause of the bot nor reminders to those who were asked before count.
 */
function nextReminder(remindMs: number, askedAt: number, reminded: number, now: number): number {
  const steps = Math.floor((now - askedAt) / remindMs) - 1
  return now + remindMs * Math.max(1, Math.min(steps, 2 ** (reminded - 1), rarest))
}

/** When to remind the decider or ask the next one, whichever comes first after `askedAt`. */
function nextMove(rules: Rules, name: string, askedAt: number, reminded: number, now: number): number | undefined {
  const { remind_ms, next } = deciderNamed(rules, name)
  const moves = [
    remind_ms && nextReminder(remind_ms, askedAt, reminded, now),
    next && Math.max(now, askedAt + next.after_ms),
  ]
  const due = moves.filter((at) => at !== undefined)
  return due.length === 0 ? undefined : Math.min(...due)
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

/** A question ends with its default, or unanswered if it isn't required; in the end the rules decline any question. */
export function timedQuestion(
  { kind, payload }: { kind: 'question' | 'decision' | 'loop'; payload: Question },
  { questions }: Rules,
  now: number,
) {
  const ends = payload.default !== undefined || !payload.required
  const waitMs = (ends ? payload.timeout_ms : undefined) ?? questions.decline_ms
  const remindMs = payload.remind_ms ?? questions.remind_ms
  return {
    kind,
    payload,
    deadlineAt: waitMs === undefined ? undefined : now + waitMs,
    remindAt: remindMs === undefined ? undefined : now + remindMs,
  }
}

/** The people and groups a platform can notify. Those who write in the thread see the card anyway. */
function pingOf(request: Request, rules: Rules): string[] {
  if (request.kind !== 'approval') return (request.payload.to ?? []).map(({ id }) => `user:${id}`)
  return deciderNamed(rules, request.decided.decider).who.filter((word) => /^(user|group):/.test(word))
}

async function say(tx: Tx, { session, turn }: Request, text: string, ping: string[]): Promise<void> {
  const payload = { text, files: [], ping }
  await insertOutbox(tx, { key: newId('msg', tx.now), session, turn, kind: 'answer', payload })
}

/** Notifies deciders who may not be in the thread. */
export async function pingDeciders(tx: Tx, request: Request, rules: Rules): Promise<void> {
  const ping = pingOf(request, rules)
  if (ping.length > 0) await say(tx, request, trustWords.answerPing(), ping)
}

/** Reminds the deciders, or asks the next ones, when it's time. */
export async function moveRequests(store: Store, rules: Rules, now: number): Promise<void> {
  for (const request of await requestsToMove(store.db, now)) await store.transaction((tx) => move(tx, request, rules))
}

async function move(tx: Tx, request: Request, rules: Rules): Promise<void> {
  await tx.hold(request.session)
  if (request.kind !== 'approval') {
    const again = rules.questions.remind_ms
    const remindAt = again && nextReminder(again, request.askedAt, request.reminded, tx.now)
    if (!(await moveRequest(tx, request, { remindAt }))) return
    await say(tx, request, trustWords.answerReminder({ question: request.payload.question }), pingOf(request, rules))
    return
  }
  const { decider } = request.decided
  const { next } = deciderNamed(rules, decider)
  // `after_ms` counts from when these deciders were asked.
  const since = request.decided.since ?? request.askedAt
  const escalates = next !== undefined && since + next.after_ms <= tx.now
  const name = escalates ? next.decider : decider
  const decided = { ...decidedBy(rules, name), since: escalates ? tx.now : since }
  const remindAt = nextMove(rules, name, decided.since, request.reminded, tx.now)
  const deadlineAt = escalates ? deadlineOf(rules, name, tx.now) : undefined
  if (!(await moveRequest(tx, request, { decided, remindAt, deadlineAt }))) return
  const moved = { ...request, decided, reminded: request.reminded + 1 }
  await showMoved(tx, moved)
  const ids = { turn_id: request.turn, request_id: request.id, call_id: request.call }
  const { who, needed } = decided
  await tellOfRequest(tx, request, { type: 'permission_moved', data: { ...ids, who, needed, escalated: escalates } })
  const data = { request: request.id, who, escalated: escalates }
  await appendAudit(tx, { kind: 'moved', session: request.session, data })
  const told = escalates ? trustWords.decisionEscalated : trustWords.decisionReminder
  await say(tx, request, told({ tool: request.payload.tool, who }), pingOf(moved, rules))
}

/**
 * Ends requests whose deadline has passed: an approval is denied; a question takes its default, or stays unanswered.
 */
export async function endOverdue(store: Store, engine: Pick<Engine, 'wake'>, now: number): Promise<void> {
  for (const request of await overdueRequests(store.db, now)) {
    const given =
      request.kind === 'approval' ? { decision: 'deny' as const, by: 'deadline' as const } : atDeadline(request.payload)
    if (await store.transaction((tx) => answerFor(tx, request, given, undefined))) engine.wake(request.session)
  }
}

function atDeadline(question: Question) {
  const by = 'deadline' as const
  if (question.default === undefined) return { text: '', option_ids: [], by, declined: true }
  return { ...matchAnswer(question, question.default), by }
}
