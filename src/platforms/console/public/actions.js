/** What a person does to a turn: answer, stop, resume. */
import { answerRequest, resumeTurn, stopTurn } from './api.js'
import { hasAll, unsaid } from './card-words.js'
import { formatTime } from './format.js'
import { forget, kept } from './kept.js'
import { refreshSoon } from './sidebar.js'
import { describe, isMe, me, notify, refused, report, route, thread, today } from './state.js'
import { requestOf } from './thread.js'
import { say } from './words.js'

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The stream usually shows within a moment who answered first: maybe the same person, before a response was lost. */
async function tellWhoWasFirst(requestId, sent, error) {
  for (let waited = 0; waited < 10; waited += 1) {
    const request = requestOf(thread.peek(), requestId)
    if (request?.outcome) {
      const { person, by } = request.outcome
      if (isMe(person) && hasAll(request.outcome, sent)) return
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
  try {
    await answerRequest(requestId, { ...answer, user_id: me.peek() })
    // What was written beside the button that was pressed isn't sent with it, and stays on the card.
    if (unsaid(kept.peek()[requestId], answer).length === 0) forget(requestId)
    return undefined
  } catch (error) {
    if (error.status === 409) return void (await tellWhoWasFirst(requestId, answer, error))
    if (error.status === 401) refused.value = error
    return error.status === undefined ? say.answerMayBeLost() : describe(error)
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
