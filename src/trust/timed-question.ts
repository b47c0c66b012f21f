import type { Question } from '../domain/question.ts'
import type { QuestionRequest } from '../domain/request.ts'
import { plainName } from '../kit/text/text.ts'
import { moveRequest } from '../store/requests.ts'
import type { Tx } from '../store/store.ts'
import { showMoved } from './cards.ts'
import { describe } from './deciders.ts'
import { earliest, nextReminder } from './reminder-times.ts'
import type { Rules } from './rules.ts'
import { say, tellMoved } from './tell-moved.ts'
import { namedIn } from './who.ts'
import { trustWords } from './words.ts'

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
    remindAt: earliest(remindMs && now + remindMs, opensAt(payload, questions, now)),
  }
}

/** When people could see it. */
export const seenSince = ({ payload, askedAt }: QuestionRequest): number => payload.since ?? askedAt

/** When others may answer what certain people were asked at `askedAt`. A decision stays with them. */
export const opensAt = ({ to, opened_to, decision }: Question, { open_ms }: Rules['questions'], askedAt: number) =>
  to === undefined || opened_to !== undefined || decision !== undefined ? undefined : open_ms && askedAt + open_ms

/** Its own reminder comes first, and then those of the rules. */
function nextOf(request: QuestionRequest, { questions }: Rules, now: number) {
  const { remind_ms } = request.payload
  const askedAt = seenSince(request)
  if (remind_ms !== undefined && askedAt + remind_ms > now) return askedAt + remind_ms
  return questions.remind_ms && nextReminder(questions.remind_ms, askedAt, request.reminded, now)
}

/** Whom to notify. */
export const addresseesOf = ({ to = [] }: Question): string[] => to.map(({ id }) => `user:${id}`)

/** Reminds those who were asked, or lets others answer too. */
export async function moveQuestion(tx: Tx, request: QuestionRequest, rules: Rules): Promise<void> {
  const { questions } = rules
  const { reminded } = request
  const askedAt = seenSince(request)
  const opens = (opensAt(request.payload, questions, askedAt) ?? Number.POSITIVE_INFINITY) <= tx.now
  const payload = opens ? { ...request.payload, opened_to: describe(questions.who) } : request.payload
  const remindAt = earliest(nextOf(request, rules, tx.now), opensAt(payload, questions, askedAt))
  if (!(await moveRequest(tx, request, { remindAt, ...(opens && { payload }) }))) return
  const { question, to = [], opened_to: who } = payload
  const ping = addresseesOf(payload)
  const moved = { ...request, reminded: reminded + 1 }
  if (!opens || who === undefined) {
    await showMoved(tx, moved)
    return await say(tx, request, trustWords.answerReminder({ question }), ping)
  }
  await tellMoved(tx, moved, { who, needed: 1, escalated: true })
  const names = to.map(({ name }) => plainName(name)).join(', ')
  await say(tx, request, trustWords.questionOpened({ names, who, question }), [...ping, ...namedIn(questions.who)])
}
