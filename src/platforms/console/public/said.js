/**
 * What happens to messages later: people edit or delete them, or give feedback on an answer.
 *
 * @typedef {import('../../../domain/events.ts').EventData['message'] & { changed?: 'edited' | 'deleted', feedback?:
 *   Feedback }} Said
 * @typedef {Record<string, { value: 'good' | 'bad', name: string, reason?: string }>} Feedback By the person's id: the
 *   latest counts.
 */

/**
 * The items with one message or part of a turn changed, wherever it is. Undefined when nothing matched.
 * @param {(thing: any) => any} change Returns undefined for anything else.
 */
function changeOne(items, change) {
  for (let place = items.length - 1; place >= 0; place -= 1) {
    const item = items[place]
    const changed = change(item)
    if (changed) return items.with(place, changed)
    if (item.kind !== 'turn') continue
    const part = item.parts.findLastIndex((one) => change(one) !== undefined)
    if (part >= 0) return items.with(place, { ...item, parts: item.parts.with(part, change(item.parts[part])) })
  }
  return undefined
}

const isMessage = ({ kind }) => kind === 'message' || kind === 'said'

/** An edited message shows its new text; a deleted one loses its text and files. */
export function changeSaid(items, { message_id: id, text }) {
  const change = (thing) => {
    if (!isMessage(thing) || thing.message.message_id !== id) return undefined
    const { message } = thing
    if (text === null) return { ...thing, message: { ...message, text: '', files: [], changed: 'deleted' } }
    return { ...thing, message: { ...message, text, changed: 'edited' } }
  }
  return changeOne(items, change) ?? items
}

/** Adds feedback to its answer. Undefined when the answer isn't loaded. */
export function markFeedback(items, { message_id: id, value, reason, person }) {
  const withMark = (feedback) => ({ ...feedback, [person.id]: { value, name: person.name, ...(reason && { reason }) } })
  return changeOne(items, (thing) => {
    if (thing.kind === 'answer' && thing.messageId === id) return { ...thing, feedback: withMark(thing.feedback) }
    if (!isMessage(thing) || thing.message.message_id !== id) return undefined
    return { ...thing, message: { ...thing.message, feedback: withMark(thing.message.feedback) } }
  })
}
