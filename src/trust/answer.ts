import { directTenant, type Person } from '../domain/chat.ts'
import type { GrantChoice } from '../domain/grant.ts'
import type { RequestId, SessionId } from '../domain/ids.ts'
import type { ApprovalAnswer, Given, Question, QuestionAnswer } from '../domain/question.ts'
import type { ApprovalRequest, Request } from '../domain/request.ts'
import { endOfTomorrow } from '../kit/calendar/zone.ts'
import { throwOutage } from '../kit/unavailable.ts'
import { appendAudit } from '../store/audit.ts'
import { insertInbox } from '../store/inbox.ts'
import { answerRequest, dropVotes, findRequest, insertVote, votersOf } from '../store/requests.ts'
import { findSession, type Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { turnTimeZone } from '../store/turns.ts'
import { type Access, barredSince } from './admit.ts'
import { answeredEvent } from './answered-event.ts'
import { showOutcome, showVotes } from './cards.ts'
import { deciderNamed, describe } from './deciders.ts'
import { giveGrant } from './give-grant.ts'
import { matchAnswer } from './match-option.ts'
import { isReadAsWell, ownWordsIn } from './names-in-answer.ts'
import { noteRefusal, tellRefusals } from './refusals.ts'
import type { Rules } from './rules.ts'
import { tellOfRequest } from './tell-request.ts'
import { type Actor, type Around, aroundOf, type IsMember, isNamed, mayReply, namedIn, whyNot } from './who.ts'
import { trustWords } from './words.ts'

export interface AnswerDeps {
  store: Store
  rules: Rules
  isMember: IsMember
  access: Access
}

export type AnswerOutcome =
  | { kind: 'taken'; session: SessionId }
  /** The vote counts, but more are needed. */
  | { kind: 'voted'; request: Request }
  | { kind: 'not-found' }
  /** Somebody else was first, or the turn was stopped. */
  | { kind: 'too-late'; request: Request }
  /** `reason` is a sentence for the person. Nothing has changed. */
  | { kind: 'not-allowed'; reason: string }
  /** An approval can't be answered with text, nor a question with approve or deny. */
  | { kind: 'unfit'; expected: Request['kind'] }

/**
 * Accepts a decision once, from somebody who may make it, even if others try at the same moment. The caller wakes the
 * session.
 */
export async function answer(deps: AnswerDeps, id: string, given: Given, by: Actor): Promise<AnswerOutcome> {
  const found = await lookUp(deps, id, given.kind === 'approval', by)
  if ('no' in found) return found.no
  const { seen, session, looked } = found

  return deps.store.transaction(async (tx): Promise<AnswerOutcome> => {
    await tx.hold(seen.session)
    const request = await findRequest(tx.db, id)
    if (request === undefined) return { kind: 'not-found' }
    if (request.state !== 'pending') return { kind: 'too-late', request }
    // The request may have moved on to other people meanwhile.
    const no = (reason: string) => refused(tx, request, by.person, reason)
    if (isForOthers(request, seen)) return no(trustWords.movedToOthers())
    if (isOverdue(request, tx.now)) return no(trustWords.requestExpired())
    const value = await narrowed(tx, request, toAnswer(request, given))
    if (request.kind === 'approval' && 'decision' in value) {
      const refusal = refusedChoice(request, value.always, looked, session)
      if (refusal !== undefined) return no(refusal)
      if (value.decision === 'approve' && looked.needed > 1) {
        await dropVotes(tx, request.id, looked.lapsed)
        if (!(await vote(tx, request, by, looked.needed)))
          return { kind: 'voted', request: (await findRequest(tx.db, id)) ?? request }
      }
      if (value.always) await giveGrant(tx, request, session, value.always, by.person)
    }
    const taken = await takeAnswer(tx, request, value, by.person)
    if (!taken) return { kind: 'too-late', request }
    await insertInbox(tx, request.session, {
      dedupKey: answerKey(request.id),
      kind: 'answer',
      payload: { person: by.person, request: request.id },
      eventId: taken.eventId,
    })
    const text = tx.mask(ownWordsIn(value))
    if (session.parent === undefined && (await isReadAsWell(tx, request, text))) {
      const said = { person: by.person, text, files: [], answered: request.id }
      const row = { dedupKey: `${answerKey(request.id)}:words`, eventId: taken.eventId }
      await insertInbox(tx, request.session, { ...row, kind: 'message', payload: said })
    }
    return { kind: 'taken', session: request.session }
  })
}

/** The clock that ends overdue requests runs only now and then, so the deadline is checked with each answer as well. */
export const isOverdue = ({ deadlineAt }: Request, now: number): boolean =>
  deadlineAt !== undefined && deadlineAt <= now

const isStop = ({ kind }: Request, value: ApprovalAnswer | QuestionAnswer): boolean =>
  kind === 'loop' && 'option_ids' in value && value.option_ids[0] === 'stop'

/** Why an answer to this question wouldn't be accepted from somebody now; undefined if one might be. */
export async function whyNoAnswer(deps: AnswerDeps, id: string, by: Actor): Promise<AnswerOutcome | undefined> {
  const found = await lookUp(deps, id, false, by)
  if ('no' in found) return found.no
  const { seen } = found
  return deps.store.transaction(async (tx) =>
    isOverdue(seen, tx.now) ? refused(tx, seen, by.person, trustWords.requestExpired()) : undefined,
  )
}

interface Found {
  seen: Request
  session: Session
  looked: Awaited<ReturnType<typeof look>>
}

/** The request as it is now, and what counts for this person's answer to it. */
async function lookUp(
  deps: AnswerDeps,
  id: string,
  isApproval: boolean,
  by: Actor,
): Promise<Found | { no: AnswerOutcome }> {
  const seen = await findRequest(deps.store.db, id)
  const session = seen && (await findSession(deps.store.db, seen.session))
  if (seen === undefined || session === undefined) return { no: { kind: 'not-found' } }
  if (isApproval !== (seen.kind === 'approval')) return { no: { kind: 'unfit', expected: seen.kind } }
  if (seen.state !== 'pending') return { no: { kind: 'too-late', request: seen } }
  const looked = await look(deps, seen, session, by)
  if (looked.reason !== undefined) return { no: await refuse(deps, seen, by.person, looked.reason) }
  return { seen, session, looked }
}

/** Platform look-ups happen before the transaction, which may only await queries. Throws in an outage of our own. */
async function look(deps: AnswerDeps, request: Request, session: Session, by: Actor) {
  const { store, rules, isMember, access } = deps
  const around = await aroundOf(store.db, session, request)
  try {
    if (request.kind !== 'approval') {
      const reason = notAddressed(request, by) ?? (await whyStranger(deps, request, by, around))
      return { reason, needed: 1, lapsed: [], mayWiden: false }
    }
    const decider = deciderNamed(rules, request.decided.decider)
    const reason = await whyNot(decider, by, around, isMember)
    if (reason !== undefined) return { reason, needed: 1, lapsed: [], mayWiden: false }
    // Somebody who voted earlier may have lost the right since.
    const lapsed: string[] = []
    for (const voter of await votersOf(store.db, request.id)) {
      const isBarred = !voter.operator && barredSince(session.thread, voter.person, access) !== undefined
      if (isBarred || (await whyNot(decider, voter, around, isMember)) !== undefined) lapsed.push(voter.person.id)
    }
    // Somebody who may decide only as a participant decides for this thread alone.
    const mayWiden = by.operator || (await isNamed(namedIn(decider.who), by, around, isMember))
    return { reason: undefined, needed: decider.needed, lapsed, mayWiden }
  } catch (thrown) {
    throwOutage(thrown)
    return {
      reason: trustWords.deciderUnchecked(),
      needed: 1,
      lapsed: [],
      mayWiden: false,
    }
  }
}

/** Whether a person may answer it as things stand. */
export async function mayAnswer(deps: AnswerDeps, request: Request, session: Session, by: Actor): Promise<boolean> {
  return (await look(deps, request, session, by)).reason === undefined
}

const isForOthers = (now: Request, seen: Request): boolean =>
  now.kind === 'approval' && seen.kind === 'approval' && now.decided.decider !== seen.decided.decider

/** Why this person may not answer a question; undefined when they may. */
export function notAddressed(request: Request, by: Actor): string | undefined {
  if (request.kind === 'approval' || isAddressee(request.payload, by)) return undefined
  const { to, opened_to } = request.payload
  if (to === undefined || opened_to !== undefined) return undefined
  return trustWords.askedOfOthers({ to: to.map(({ name }) => name).join(', ') })
}

/** Whether a question to certain people is this person's to answer. The operator may always. */
export const isAddressee = ({ to }: Question, { person, operator }: Actor): boolean =>
  to !== undefined && (operator || to.some(({ id }) => id === person.id))

/**
 * A question to nobody in particular may be answered by whoever the rules name, so that people who merely see the
 * channel can't steer the bot. So may one that certain people have left open for a long time.
 */
async function whyStranger(
  { rules, isMember }: AnswerDeps,
  request: Request,
  by: Actor,
  around: Around,
): Promise<string | undefined> {
  if (request.kind === 'approval' || isAddressee(request.payload, by)) return undefined
  const { who } = rules.questions
  if (await mayReply(who, by, around, isMember)) return undefined
  return who.includes('participants') ? trustWords.notTakingPart() : trustWords.notAnAnswerer({ who: describe(who) })
}

async function refuse({ store }: AnswerDeps, request: Request, person: Person, reason: string): Promise<AnswerOutcome> {
  return store.transaction((tx) => refused(tx, request, person, reason))
}

async function refused(tx: Tx, request: Request, person: Person, reason: string): Promise<AnswerOutcome> {
  await noteRefusal(tx, { session: request.session, about: { request: request.id } }, person, reason)
  return { kind: 'not-allowed', reason }
}

function refusedChoice(
  { payload }: ApprovalRequest,
  always: GrantChoice | undefined,
  { needed, mayWiden }: { needed: number; mayWiden: boolean },
  { thread }: Session,
): string | undefined {
  if (always === undefined) return undefined
  // One voter can't choose “always” for the others.
  if (payload.grants === undefined || needed > 1) return trustWords.neverAlways()
  if (always.scope !== 'thread' && !mayWiden) return trustWords.alwaysOnlyInThread()
  if (always.scope === 'tenant' && thread.tenant === directTenant) return trustWords.directOnlyInThread()
  if (always.pattern === 'wide' && payload.grants.wide === undefined) return trustWords.noWidePattern()
  if (always.pattern === 'exact' && payload.grants.exact.length === 0) return trustWords.noExactPattern()
  return undefined
}

/** True when this was the last vote needed. Each person counts once. */
async function vote(tx: Tx, request: ApprovalRequest, { person, operator }: Actor, needed: number): Promise<boolean> {
  const isNew = await insertVote(tx, request.id, person, operator)
  const votes = (await findRequest(tx.db, request.id))?.votes.length ?? 0
  if (isNew) {
    const data = { request: request.id, by: person.id, votes, needed }
    await appendAudit(tx, { kind: 'voted', session: request.session, data })
  }
  if (votes >= needed) return true
  if (!isNew) return false
  const ids = { turn_id: request.turn, request_id: request.id, call_id: request.call }
  await tellOfRequest(tx, request, { type: 'permission_voted', data: { ...ids, person, votes, needed } })
  await showVotes(tx, request)
  return false
}

export const answerKey = (request: RequestId): string => `answer:${request}`

export function toAnswer(request: Request, given: Given): ApprovalAnswer | QuestionAnswer {
  if (given.kind === 'approval' || request.kind === 'approval') {
    return given.kind === 'approval' ? onlyFitting(given.answer) : { decision: 'deny' }
  }
  if (given.kind === 'declined') return { text: '', option_ids: [], by: 'person', declined: true }
  const parts = request.payload.also ?? []
  const also = parts.map((part, place) => matchAnswer(part, given.also?.[place] ?? ''))
  return { ...matchAnswer(request.payload, given.answer), ...(also.length > 0 && { also }), by: 'person' }
}

/** Only a denial has a reason, and only an approval has "always". */
function onlyFitting({ decision, reason, instead, always }: ApprovalAnswer): ApprovalAnswer {
  if (decision === 'approve') return { decision, ...(always && { always }) }
  return { decision, ...(reason && { reason }), ...(instead && { instead }) }
}

/** A grant for the closed sandbox holds in its thread only, and until the end of tomorrow at the latest. */
async function narrowed<Value extends ApprovalAnswer | QuestionAnswer>(tx: Tx, request: Request, value: Value) {
  if (!('decision' in value) || request.kind !== 'approval' || !request.payload.grants?.closed) return value
  if (value.always?.pattern !== 'wide') return value
  const mostMs = endOfTomorrow(tx.now, await turnTimeZone(tx.db, request.turn)) - tx.now
  const forMs = Math.min(value.always.forMs ?? mostMs, mostMs)
  return { ...value, always: { pattern: 'wide' as const, scope: 'thread' as const, forMs } }
}

/** Answers the request once, with its event and its audit entry; undefined when it was already answered. */
export async function takeAnswer(
  tx: Tx,
  request: Request,
  given: ApprovalAnswer | QuestionAnswer,
  person: Person | undefined,
): Promise<{ eventId: number } | undefined> {
  if (!(await answerRequest(tx, request.id, given, person))) return undefined
  // Whatever else the turn does meanwhile ends, too.
  if (isStop(request, given)) tx.wakes(request.session, { interrupts: true })
  await tellRefusals(tx, { session: request.session, about: { request: request.id } })
  const said = 'decision' in given ? given.decision : given.declined ? 'declined' : 'answered'
  const by = person?.id ?? 'the deadline'
  await appendAudit(tx, {
    kind: 'decided',
    session: request.session,
    data: {
      request: request.id,
      kind: request.kind,
      by,
      said,
      ...('decision' in given && { reason: given.reason, instead: given.instead }),
    },
  })
  await showOutcome(tx, request)
  return { eventId: await tellOfRequest(tx, request, answeredEvent(request, given, person)) }
}
