import type { SessionId } from '../domain/ids.ts'
import type { Given, QuestionPart } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'
import { parentCallOf } from '../store/children.ts'
import { listRequests } from '../store/list-requests.ts'
import { findRequest } from '../store/requests.ts'
import { findSession } from '../store/sessions.ts'
import type { Db } from '../store/store.ts'
import { type AnswerOutcome, answer } from '../trust/answer.ts'
import { askedEvent } from '../turn/settle/asked-event.ts'
import { readJson } from './body.ts'
import { paged, placeAt } from './cursor.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError, checked } from './errors.ts'
import { approvalBody, questionBody, requestsQuery } from './schemas.ts'
import { personIn, personOf } from './who.ts'
import { apiWords } from './words.ts'

/** Whoever asks what waits wants what has waited longest; else it is about what happened lately. */
const orders = { pending: 'oldest', answered: 'lastEnded', cancelled: 'lastEnded', all: 'lastAsked' } as const

export function requestRoutes(api: Api, deps: ApiDeps): void {
  const { store, engine } = deps

  api.get('/requests', async (context) => {
    const { status, conversation_id, cursor, limit } = checked(requestsQuery, context.req.query())
    const order = orders[status ?? 'all']
    const found = await listRequests(store.db, {
      state: status,
      session: conversation_id as SessionId | undefined,
      order,
      after: placeAt(cursor),
      limit: limit + 1,
    })
    const isAt = ({ askedAt, answeredAt }: Request) => (order === 'lastEnded' && answeredAt) || askedAt
    const { page, next_cursor } = paged(found, limit, (one) => ({ at: isAt(one), id: one.id }))
    const requests = await Promise.all(page.map((request) => shape(request, store.db)))
    return context.json({ requests, next_cursor })
  })

  api.post('/requests/:id/answer', async (context) => {
    const id = context.req.param('id')
    const request = await findRequest(store.db, id)
    if (request === undefined) throw noRequest(id)
    const json = await readJson(context, 1_000_000)
    const { given, userId } = givenOf(request, json)
    const person = personIn(await findSession(store.db, request.session), personOf(deps, userId))
    // Only the operator can reach the console.
    const outcome = await answer({ ...deps, access: deps.config.access }, id, given, { person, operator: true })
    if (outcome.kind !== 'taken' && outcome.kind !== 'voted') throw refused(id, outcome)
    if (outcome.kind === 'taken') engine.wake(outcome.session)
    const taken = await findRequest(store.db, id)
    return context.json({ request: taken && (await shape(taken, store.db)) })
  })
}

function givenOf(request: Request, json: unknown): { given: Given; userId: string | undefined } {
  if (request.kind === 'approval') {
    const { decision, reason, instead, always, user_id } = checked(approvalBody, json)
    const choice = always && { pattern: always.pattern, scope: always.scope, forMs: always.for_ms }
    return { given: { kind: 'approval', answer: { decision, reason, instead, always: choice } }, userId: user_id }
  }
  const { answer, also, user_id: userId } = checked(questionBody, json)
  if (answer === undefined) return { given: { kind: 'declined' }, userId }
  const { payload } = request
  checkForm([payload, ...(payload.also ?? [])], [answer, ...(also ?? [])])
  return { given: { kind: 'question', answer, also }, userId }
}

/** Throws 400 for answers that don't fit the questions. */
function checkForm(questions: QuestionPart[], answers: (string | string[])[]): void {
  if (answers.length > questions.length) {
    throw new ApiError(400, 'invalid', apiWords.tooManyAnswers(), apiWords.tooManyAnswersRemedy())
  }
  for (const [place, { question, multiple, required }] of questions.entries()) {
    const given = answers[place] ?? ''
    if (Array.isArray(given) && given.length > 1 && !multiple) {
      throw new ApiError(400, 'invalid', `“${question}” takes one answer.`, apiWords.severalAnswersRemedy())
    }
    if (given.length === 0 && required) {
      throw new ApiError(400, 'invalid', `“${question}” has no answer.`, apiWords.answerMissingRemedy())
    }
  }
}

const noRequest = (id: string) =>
  new ApiError(404, 'not_found', apiWords.noRequest({ id: JSON.stringify(id) }), apiWords.unknownRequestRemedy())

function refused(id: string, outcome: Exclude<AnswerOutcome, { kind: 'taken' | 'voted' }>): ApiError {
  if (outcome.kind === 'not-found') return noRequest(id)
  if (outcome.kind === 'not-allowed')
    return new ApiError(403, 'not_allowed', outcome.reason, apiWords.notAllowedRemedy())
  if (outcome.kind === 'unfit') {
    return new ApiError(
      400,
      'unfit',
      apiWords.requestKind({ expected: outcome.expected }),
      apiWords.requestKindRemedy(),
    )
  }
  return new ApiError(409, 'already_answered', whyTooLate(outcome.request), apiWords.grantEndedRemedy())
}

function whyTooLate({ state, answeredBy }: Pick<Request, 'state' | 'answeredBy'>): string {
  const who = answeredBy?.name
  if (state !== 'cancelled') return who === undefined ? apiWords.byDeadline() : apiWords.byPerson({ who })
  return who === undefined ? apiWords.requestCancelled() : apiWords.byStop({ who })
}

/** The request as asked, and what became of it. */
async function shape(request: Request, db: Db) {
  const { request_id: id, ...asked } = askedEvent(request).data
  return {
    id,
    kind: request.kind,
    status: request.state,
    // What a child asks belongs to its parent's conversation.
    conversation_id: (await parentCallOf(db, request.session))?.session ?? request.session,
    ...asked,
    answer: request.answer ?? null,
    answered_by: request.answeredBy ?? null,
    asked_at: new Date(request.askedAt).toISOString(),
    answered_at: request.answeredAt === undefined ? null : new Date(request.answeredAt).toISOString(),
    deadline_at: request.deadlineAt === undefined ? null : new Date(request.deadlineAt).toISOString(),
  }
}
