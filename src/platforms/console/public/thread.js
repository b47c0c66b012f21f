/**
 * A thread as the screen shows it, reduced from its events, which are all the page draws from.
 *
 * @typedef {import('./turn.js').ToldEvent} ToldEvent
 * @typedef {import('./turn.js').Turn} Turn
 * @typedef {{ kind: 'message', key: string, message: import('./said.js').Said, at: string, number: number }} Message
 * @typedef {{ kind: 'notice', key: string, code: string, message: string }} Notice
 * @typedef {{ kind: 'reset', key: string, person: { name: string }, at: string }} Reset
 * @typedef {{ kind: 'feedback', key: string, value: 'good' | 'bad', person: { name: string } }} Feedback
 * @typedef {{ kind: 'trust', key: string, change: 'revoked' | 'loaded' | 'skill', tools: string[], person?: { name:
 *   string } }} Trust
 * @typedef {{ kind: 'undone', key: string, items: Item[], person: { name: string }, at: string }} Undone
 * @typedef {Turn | Message | Notice | Reset | Feedback | Trust | Undone} Item
 * @typedef {{ content: string, status: string, priority?: string, note?: string, call?: string, child?: { id: string,
 *   name: string } }} Todo
 * @typedef {import('../../../domain/events.ts').EventData['work_plan']} WorkPlan
 * @typedef {{ lastSequence: number, items: Item[], todos: Todo[], plan?: WorkPlan }} Thread
 */
import { pointsOf, withChildren } from './plan-words.js'
import { changeSaid, markFeedback } from './said.js'
import { applyToTurn, changesTurn, isOpen, isPending, newTurn, withoutDraft } from './turn.js'

/** @type {Thread} */
export const emptyThread = { lastSequence: 0, items: [], todos: [] }

/** Where the open turn stands, or -1. Only the latest can be open. */
const placeOfOpenTurn = (items) => {
  const place = items.findLastIndex(({ kind }) => kind === 'turn')
  return place >= 0 && isOpen(items[place]) ? place : -1
}

const intoOpenTurn = (items, event) => {
  const place = placeOfOpenTurn(items)
  return place < 0 ? undefined : items.with(place, applyToTurn(items[place], event))
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

/** A turn answers the person's message above it, unless something else woke it. */
const openingOf = (items, { type, data }) =>
  type === 'start' && data.reason === 'message'
    ? items.findLast((item) => item.kind === 'message' && item.message.role === 'user')?.number
    : undefined

function changeTurn(items, event) {
  const { turn_id: id } = event.data
  const place = placeOf(items, event)
  // A turn that resumes after other messages continues below them, so that the thread stays in order.
  const takenUpLater = event.type === 'start' && place >= 0 && place < items.length - 1
  if (place >= 0 && !takenUpLater) return items.with(place, applyToTurn(items[place], event))
  const key = takenUpLater ? `${id}-${event.event_id}` : id
  return [...items, applyToTurn(newTurn(id, key, event.timestamp, openingOf(items, event)), event)]
}

const holds = (item, turn) =>
  item.kind === 'undone' ? item.items.some((one) => holds(one, turn)) : item.kind === 'turn' && item.id === turn

/** Somebody may go back before an answer is posted: it stays in its turn, which has folded. */
function addAnswer(items, event) {
  const place = items.findIndex((item) => item.kind === 'undone' && holds(item, event.data.turn_id))
  if (place < 0) return changeTurn(items, event)
  return items.with(place, { ...items[place], items: addAnswer(items[place].items, event) })
}

function addMessage(items, event) {
  const { data, timestamp } = event
  if (data.role === 'assistant' && data.turn_id !== undefined) return addAnswer(items, event)
  // Messages sent during a turn, and replies to commands, appear inside it.
  return (
    intoOpenTurn(items, event) ?? [
      ...items,
      { kind: 'message', key: data.message_id, message: data, at: timestamp, number: event.event_id },
    ]
  )
}

function addNotice(items, event) {
  const { code, message } = event.data
  const notice = { kind: 'notice', key: `notice-${event.event_id}`, code, message: String(message ?? '') }
  return intoOpenTurn(items, event) ?? [...items, notice]
}

/** Feedback on an answer that is not on this page of history stands as a line of its own. */
const addFeedback = (items, { data, event_id }) =>
  markFeedback(items, data) ?? [...items, { kind: 'feedback', key: `feedback-${event_id}`, ...data }]

const addReset = (items, { data, event_id, timestamp }) => [
  ...items,
  { kind: 'reset', key: `reset-${event_id}`, person: data.person, at: timestamp },
]

const isSaid = (id) => (thing) => (thing.kind === 'message' || thing.kind === 'said') && thing.message.message_id === id

/** The items before a message, and those from it on. If it isn't on this page of history, all of them came after it. */
function splitAt(items, id) {
  const inTurn = ({ kind, parts }) => kind === 'turn' && parts.some(isSaid(id))
  const place = items.findIndex((item) => isSaid(id)(item) || inTurn(item))
  if (place < 0) return [[], items]
  const item = items[place]
  if (item.kind !== 'turn') return [items.slice(0, place), items.slice(place)]
  const part = item.parts.findIndex(isSaid(id))
  const before = { ...item, parts: item.parts.slice(0, part) }
  const after = { ...item, key: `${item.key}-undone`, parts: item.parts.slice(part) }
  return [
    [...items.slice(0, place), before],
    [after, ...items.slice(place + 1)],
  ]
}

/** Somebody went back to a message: it and what came after it fold. */
function undo(items, { data, event_id, timestamp }) {
  const [kept, undone] = splitAt(items, data.message_id)
  return [...kept, { kind: 'undone', key: `undone-${event_id}`, items: undone, person: data.person, at: timestamp }]
}

/** What the bot may do here has changed. It stands where it happened, also in the middle of a turn. */
function addTrust(items, change, tools, { data, event_id }) {
  const part = { kind: 'trust', key: `trust-${event_id}`, change, tools, person: data.person }
  const place = placeOfOpenTurn(items)
  return place < 0 ? [...items, part] : items.with(place, { ...items[place], parts: [...items[place].parts, part] })
}

/** Events of the thread rather than of one of its turns. */
const changes = {
  message: addMessage,
  changed: (items, { data }) => changeSaid(items, data),
  feedback: addFeedback,
  undone: undo,
  reset: addReset,
  revoked: (items, event) => addTrust(items, 'revoked', [event.data.tool_name], event),
  tools_loaded: (items, event) => addTrust(items, 'loaded', event.data.tools, event),
  skill_activated: (items, event) => addTrust(items, 'skill', event.data.skills, event),
}

function itemsAfter(items, event) {
  if (Object.hasOwn(changes, event.type)) return changes[event.type](items, event)
  if (!changesTurn(event.type)) return items
  return event.data.turn_id === undefined ? addNotice(items, event) : changeTurn(items, event)
}

const isTodo = (todo) => typeof todo?.content === 'string'

function todosAfter(todos, { type, data }) {
  if (type === 'reset') return []
  if (type === 'work_plan') return withChildren(pointsOf(data), todos)
  if (type === 'subagent_assigned') {
    const child = { id: data.conversation_id, name: data.name }
    return todos.map((one) => (one.call === data.call_id ? { ...one, child } : one))
  }
  if (type !== 'act' || data.tool_name !== 'todo_write' || !Array.isArray(data.tool_input?.todos)) return todos
  return data.tool_input.todos.filter(isTodo)
}

/** The latest plan, with which people are asked about it. */
const planAfter = (plan, { type, data }) => (type === 'work_plan' ? data : type === 'reset' ? undefined : plan)

/**
 * The thread after this event; pure. Events arrive in the order of their numbers, and duplicates are ignored. A history
 * may start in the middle. An event without a number is streamed text, which is not stored.
 * @param {Thread} thread
 * @param {ToldEvent} event
 * @returns {Thread}
 */
export function reduce(thread, event) {
  if (event.event_id <= thread.lastSequence) return thread
  return {
    lastSequence: event.event_id ?? thread.lastSequence,
    items: itemsAfter(thread.items, event),
    todos: todosAfter(thread.todos, event),
    plan: planAfter(thread.plan, event),
  }
}

/** The thread as it is stored: a connection begins with that, and tells anew what is being said. */
export function asStored(thread) {
  const items = thread.items.map((item) => (item.kind === 'turn' && isOpen(item) ? withoutDraft(item) : item))
  return { ...thread, items }
}

function isSame(one, other) {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]))
}

/** Items of a view that was built anew, where nothing changed as they were before: those aren't drawn again. */
export function withKnown(before, items) {
  const known = new Map(before.map((item) => [item.key, item]))
  return items.map((item) => {
    const old = known.get(item.key)
    return old !== undefined && isSame(old, item) ? old : item
  })
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

/** What people have said since the event with this number, as far as it wasn't deleted. */
export const saidSince = (thread, number) =>
  thread.items
    .flatMap((item) => (item.kind === 'turn' ? item.parts : [item]))
    .filter((thing) => (thing.kind === 'message' || thing.kind === 'said') && thing.number > number)
    .map(({ message }) => message)
    .filter(({ role, changed }) => role === 'user' && changed !== 'deleted')
