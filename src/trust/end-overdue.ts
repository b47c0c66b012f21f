import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadRef } from '../domain/chat.ts'
import type { Engine } from '../domain/engine.ts'
import type { Question } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'
import { setDeadline } from '../store/deadlines.ts'
import { outboxState } from '../store/outbox.ts'
import { findRequest, overdueRequests } from '../store/requests.ts'
import { findSession } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { isOverdue } from './answer.ts'
import { answerFor } from './answer-for.ts'
import { showGoneAgain } from './card-deleted.ts'
import { cardKey } from './cards.ts'
import { matchAnswer } from './match-option.ts'
import type { Rules } from './rules.ts'
import { beginAnew } from './whole-time.ts'

export interface OverdueDeps {
  store: Store
  engine: Pick<Engine, 'wake'>
  rules: Rules
  /** Hears what was said in a thread and missed; undefined if nothing can be missing. */
  catchUp(thread: ThreadRef): Promise<void> | undefined
}

/** How long the thread is read back before its question ends, ms. */
const patienceMs = 5_000

/** If that doesn't succeed, the question ends this much later, ms. */
const laterMs = 60_000

/**
 * Ends requests whose deadline has passed: an approval is denied; a question takes its default, or stays unanswered.
 * While its card isn't there, it is shown again a few times before that. No default is taken if nobody saw the card, or
 * while an answer to it may have been missed.
 */
export async function endOverdue(deps: OverdueDeps, now: number): Promise<void> {
  const { store, engine } = deps
  const end = async (request: Request) => {
    const hasHeard = request.kind === 'approval' || (await hasHeardAll(request, deps))
    if (await store.transaction((tx) => endOne(tx, request, hasHeard, deps.rules))) engine.wake(request.session)
  }
  await Promise.all((await overdueRequests(store.db, now)).map(end))
}

async function hasHeardAll(request: Request, { store, catchUp }: OverdueDeps): Promise<boolean> {
  const session = await findSession(store.db, request.session)
  const catching = session && catchUp(session.thread)
  if (catching === undefined) return true
  const patience = new AbortController()
  const tooLong = sleep(patienceMs, false, { signal: patience.signal, ref: false })
  const heard = catching.then(() => true)
  const hasHeard = await Promise.race([heard, tooLong]).catch(() => false)
  patience.abort()
  return hasHeard
}

/** False if it was answered meanwhile, or ends later. */
async function endOne(tx: Tx, { id, session }: Request, hasHeard: boolean, rules: Rules): Promise<boolean> {
  await tx.hold(session)
  const request = await findRequest(tx.db, id)
  // Its card may have been posted meanwhile.
  if (request === undefined || !isOverdue(request, tx.now)) return false
  const card = await outboxState(tx.db, cardKey(id))
  const stands = card === 'delivered' ? await showGoneAgain(tx, id) : card
  const isUnseen = stands === 'failed' || stands === 'lost'
  if (stands === 'pending' || stands === 'gone') await beginAnew(tx, request, rules)
  else if (request.kind === 'approval') return answerFor(tx, request, { decision: 'deny', by: 'deadline' }, undefined)
  else if (hasHeard) return answerFor(tx, request, atDeadline(request.payload, isUnseen), undefined)
  else await setDeadline(tx, id, tx.now + laterMs)
  return false
}

function atDeadline(question: Question, isUnseen: boolean) {
  const by = 'deadline' as const
  if (question.default === undefined || isUnseen) return { text: '', option_ids: [], by, declined: true }
  return { ...matchAnswer(question, question.default), by }
}
