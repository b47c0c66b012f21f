/** Cards by request: their buttons go away with the answer, and the focus must not go with them. */
import { shorten, visibleText } from './format.js'
import { notify, thread } from './state.js'
import { requestOf } from './thread.js'
import { say } from './words.js'

/** What is told of a card that is no longer on the screen stays for this long, ms. */
const tellMs = 30_000

export const cardId = (requestId) => `card-${requestId}`

function subjectOf(requestId) {
  const { tool_name, question } = requestOf(thread.peek(), requestId)?.asked ?? {}
  return shorten(visibleText(tool_name ?? question ?? ''), 80)
}

/**
 * Sends an answer. The focus stays at the card, unless somebody has moved it elsewhere meanwhile. A card that has left
 * the screen can't show why its answer was rejected, so a notice does.
 * @param {() => Promise<string | undefined>} send What to show when the answer was rejected.
 */
export async function answerAt(requestId, send) {
  const card = document.getElementById(cardId(requestId))
  const subject = subjectOf(requestId)
  const problem = await send()
  if (problem !== undefined && !card?.isConnected)
    notify(say.answerFailed({ subject, error: problem }), 'error', tellMs)
  const at = document.activeElement
  if (problem === undefined && (at === document.body || card?.contains(at))) card?.focus({ preventScroll: true })
  return problem
}
