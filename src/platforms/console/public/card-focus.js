/** Cards by request: their buttons go away with the answer, and the focus must not go with them. */

export const cardId = (requestId) => `card-${requestId}`

/**
 * Sends an answer. The focus stays at the card, unless somebody has moved it elsewhere meanwhile.
 * @param {() => Promise<string | undefined>} send What to show when the answer was rejected.
 */
export async function answerAt(requestId, send) {
  const card = document.getElementById(cardId(requestId))
  const problem = await send()
  const at = document.activeElement
  if (problem === undefined && (at === document.body || card?.contains(at))) card?.focus({ preventScroll: true })
  return problem
}
