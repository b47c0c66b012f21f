/** What a person does to a turn: answer, stop, resume. */
import { answerRequest, resumeTurn, stopTurn } from './api.js'
import { formatTime } from './format.js'
import { forget, keep, kept } from './kept.js'
import { refreshSoon } from './sidebar.js'
import { describe, me, notify, refused, report, route, thread, today } from './state.js'
import { requestOf } from './thread.js'
import { say } from './words.js'

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The stream usually shows within a moment who answered first. */
async function tellWhoWasFirst(requestId, error) {
  for (let waited = 0; waited < 10; waited += 1) {
    const request = requestOf(thread.peek(), requestId)
    if (request?.outcome) {
      const { person, by } = request.outcome
      const who = person?.name ?? (by === 'deadline' ? 'the deadline' : 'someone else')
      return notify(say.answeredFirstBy({ who, time: formatTime(request.answeredAt, today.peek()) }))
    }
    await sleep(150)
  }
  notify(describe(error))
}

/**
 * @param {string} requestId
 * @param {object} answer The API's request body, without the user.
 * @returns {Promise<string | undefined>} What to show beside the form when the answer was rejected.
 */
export async function answer(requestId, answer) {
  const filledIn = kept.peek()[requestId]
  // The thread may show the outcome before the request has come back.
  forget(requestId)
  try {
    await answerRequest(requestId, { ...answer, user_id: me.peek() })
    return undefined
  } catch (error) {
    keep(requestId, filledIn)
    if (error.status === 409) return void (await tellWhoWasFirst(requestId, error))
    if (error.status === 401) refused.value = error
    return error.status === undefined ? say.answerNotSent() : describe(error)
  } finally {
    refreshSoon()
  }
}

async function act(ask) {
  const { conversation } = route.peek()
  if (!conversation) return
  try {
    await ask(conversation, me.peek())
  } catch (error) {
    report(error)
  }
  refreshSoon()
}

export const stop = () => act(stopTurn)
export const resume = () => act(resumeTurn)
