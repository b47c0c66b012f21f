import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestId } from '../../domain/ids.ts'
import type { Question, QuestionAnswer } from '../../domain/question.ts'
import type { ToolContext } from '../../domain/tool.ts'
import { appendAudit } from '../../store/audit.ts'
import { findRequest, insertRequest } from '../../store/requests.ts'
import { showCard } from '../../trust/cards.ts'
import { pingDeciders } from '../../trust/remind.ts'
import { timedQuestion } from '../../trust/timed-question.ts'
import type { OpenCall } from '../port/calls.ts'
import { withdraw } from '../state/close-open.ts'
import type { Turn } from '../state/turn.ts'
import { askedBy, tellAsked } from './tell-asked.ts'

/** Other processes take answers too, and don't always notify us. */
const lookAgainMs = 1_000

/** How a call that is running asks people: only one question of a call waits, so others wait for it. */
export function midwayFor(turn: Turn, call: OpenCall): ToolContext['ask'] {
  let last: Promise<unknown> = Promise.resolve()
  return (question, signal) => {
    const answer = last.then(() => askMidway(turn, call, question, signal))
    last = answer.catch(() => undefined)
    return answer
  }
}

/**
 * Asks people on behalf of a call that is running, and waits. The call stays started: if this process ends, its outcome
 * is unknown, and the question is withdrawn. The question needs a time limit. Undefined if it is withdrawn.
 */
async function askMidway(
  turn: Turn,
  call: OpenCall,
  question: Question,
  signal: AbortSignal,
): Promise<QuestionAnswer | undefined> {
  const over = AbortSignal.any([turn.signal, signal])
  if (over.aborted) return undefined
  const id = await store(turn, call, question)
  try {
    return await answerOf(id, turn, over)
  } finally {
    await turn.store.fenced(turn.lease, async (tx) => {
      const request = await findRequest(tx.db, id)
      if (request?.state === 'pending') await withdraw(tx, request)
    })
  }
}

function store(
  { store, lease, row, session: { parent }, bot: { rules }, isPosted }: Turn,
  call: OpenCall,
  payload: Question,
): Promise<RequestId> {
  const { id: turn, session } = row
  return store.fenced(lease, async (tx) => {
    const asked = { kind: 'question' as const, payload: parent === undefined ? payload : askedBy(parent.name, payload) }
    const timed = timedQuestion(asked, rules, tx.now)
    const request = await insertRequest(tx, { session, turn, call: call.id, hash: call.hash, ...timed })
    await showCard(tx, request)
    if (isPosted) await pingDeciders(tx, request, rules)
    const data = { request: request.id, call: call.id, tool: call.name, kind: request.kind, hash: call.hash }
    await appendAudit(tx, { kind: 'asked', session, data })
    await tellAsked(tx, request)
    return request.id
  })
}

async function answerOf(
  id: RequestId,
  { store, session }: Turn,
  over: AbortSignal,
): Promise<QuestionAnswer | undefined> {
  let news = Promise.withResolvers<void>()
  const unwatch = store.watch(session.id, () => news.resolve())
  try {
    while (!over.aborted) {
      const request = await store.readPatiently(session.id, (db) => findRequest(db, id))
      if (request === undefined || request.kind === 'approval') return undefined
      if (request.state !== 'pending') return request.answer
      const again = new AbortController()
      const either = AbortSignal.any([over, again.signal])
      await Promise.race([news.promise, sleep(lookAgainMs, undefined, { signal: either }).catch(() => undefined)])
      again.abort()
      news = Promise.withResolvers()
    }
    return undefined
  } finally {
    unwatch()
  }
}
