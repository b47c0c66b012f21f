/**
 * A thread as a screen shows it, reduced from its events: the only source that the page draws from.
 *
 * @typedef {import('./turn.js').SessionEvent} SessionEvent
 * @typedef {import('./turn.js').Turn} Turn
 * @typedef {{ kind: 'message', key: string, message: import('./turn.js').EventData['message'], at: string }} Message
 * @typedef {{ kind: 'notice', key: string, message: string }} Notice
 * @typedef {Turn | Message | Notice} Item
 * @typedef {{ content: string, status: string, priority?: string }} Todo
 * @typedef {{ lastSequence: number, items: Item[], todos: Todo[] }} Thread
 */
import { applyToTurn, changesTurn, isOpen, isPending, newTurn } from './turn.js'

/** @type {Thread} */
export const emptyThread = { lastSequence: 0, items: [], todos: [] }

const openTurn = (items) => {
  const last = items.at(-1)
  return last?.kind === 'turn' && isOpen(last) ? last : undefined
}

const subjectOf = ({ data }) => data.request_id ?? data.text_id ?? data.call_id

/** Where an event of this turn belongs: the stretch that holds its subject, else the latest stretch. */
function placeOf(items, event) {
  const ofTurn = (item) => item.kind === 'turn' && item.id === event.data.turn_id
  const subject = subjectOf(event)
  if (subject !== undefined) {
    const holder = items.findLastIndex((item) => ofTurn(item) && item.parts.some((part) => part.key === subject))
    if (holder >= 0) return holder
  }
  return items.findLastIndex(ofTurn)
}

function changeTurn(items, event) {
  const { turn_id: id } = event.data
  const place = placeOf(items, event)
  // A turn that is taken up again after others spoke goes on below them, so that time runs downward.
  const takenUpLater = event.type === 'start' && place >= 0 && place < items.length - 1
  if (place >= 0 && !takenUpLater) return items.with(place, applyToTurn(items[place], event))
  const key = takenUpLater ? `${id}-${event.event_id}` : id
  return [...items, applyToTurn(newTurn(id, key, event.timestamp), event)]
}

function addMessage(items, event) {
  const { data, timestamp } = event
  if (data.role === 'assistant') {
    if (data.turn_id !== undefined) return changeTurn(items, event)
  } else {
    const turn = openTurn(items)
    if (turn) return items.with(-1, applyToTurn(turn, event))
  }
  return [...items, { kind: 'message', key: data.message_id, message: data, at: timestamp }]
}

function itemsAfter(items, event) {
  if (event.type === 'message') return addMessage(items, event)
  if (!changesTurn(event.type)) return items
  if (event.data.turn_id !== undefined) return changeTurn(items, event)
  return [...items, { kind: 'notice', key: `notice-${event.event_id}`, message: String(event.data.message ?? '') }]
}

const isTodo = (todo) => typeof todo?.content === 'string'

function todosAfter(todos, { type, data }) {
  if (type !== 'act' || data.tool_name !== 'todo_write' || !Array.isArray(data.tool_input?.todos)) return todos
  return data.tool_input.todos.filter(isTodo)
}

/**
 * The thread after this event. Pure. Events come in the order of their numbers; one that was seen already changes
 * nothing, and a history that begins in the middle is drawn as far as it is known.
 * @param {Thread} thread
 * @param {SessionEvent} event
 * @returns {Thread}
 */
export function reduce(thread, event) {
  if (event.event_id <= thread.lastSequence) return thread
  return {
    lastSequence: event.event_id,
    items: itemsAfter(thread.items, event),
    todos: todosAfter(thread.todos, event),
  }
}

/** @returns {'idle' | 'running' | 'waiting'} */
export function stateOf(thread) {
  const turn = thread.items.findLast((item) => item.kind === 'turn')
  return turn && isOpen(turn) ? turn.state : 'idle'
}

/** The requests of turns that are not over, which nobody answered yet. */
export const pendingOf = (thread) =>
  thread.items.flatMap((item) => (item.kind === 'turn' && isOpen(item) ? item.parts.filter(isPending) : []))

/** The request with this id, answered or not. */
export function requestOf(thread, requestId) {
  for (const item of thread.items) {
    if (item.kind !== 'turn') continue
    const part = item.parts.find((one) => one.kind === 'request' && one.requestId === requestId)
    if (part) return part
  }
  return undefined
}
