/**
 * One turn of the bot as the screen shows it: a pure view model built from events.
 *
 * @typedef {import('../../../domain/events.ts').SessionEvent} SessionEvent
 * @typedef {import('../../../domain/events.ts').ToldEvent} ToldEvent
 * @typedef {import('../../../domain/events.ts').EventData} EventData
 *
 * @typedef {{ kind: 'thought', key: string, text: string }} ThoughtPart
 * @typedef {{ kind: 'text', key: string, text: string, open: boolean }} TextPart
 * @typedef {{ kind: 'call', key: string, callId: string, toolName: string, title?: string, input: unknown, status:
 *   'running' | 'done' | 'failed' | 'denied' | 'unknown', result: string, output: string, durationMs?: number, child?:
 *   { id: string, name: string } }} CallPart
 * @typedef {{ kind: 'request', key: string, requestId: string, requestKind: 'approval' | 'question' | 'clarification' |
 *   'decision' | 'loop', callId: string, asked: any, outcome: any, answeredAt?: string }} RequestPart
 * @typedef {{ kind: 'said', key: string, message: import('./said.js').Said, at: string, number: number }} SaidPart
 * @typedef {{ kind: 'answer', key: string, text: string, files: any[], messageId?: string, at: string, feedback?:
 *   import('./said.js').Feedback }} AnswerPart
 * @typedef {{ kind: 'warning', key: string, code: string, message: string }} WarningPart
 * @typedef {{ kind: 'imported', key: string, messages: number }} ImportedPart
 * @typedef {{ kind: 'compressed', key: string, before: number, after: number }} CompressedPart
 * @typedef {ThoughtPart | TextPart | CallPart | RequestPart | SaidPart | AnswerPart | WarningPart | ImportedPart |
 *   CompressedPart} Part
 *
 * @typedef {{ title: string, status: string, done: number, count: number, calls: string[] }} Plan
 *
 * @typedef {{ kind: 'turn', key: string, id: string, reason: string, state: 'running' | 'waiting' | 'done' | 'stopped'
 *   | 'error', startedAt: string, endedAt?: string, parts: Part[], plans?: Record<string, Plan>, queued: boolean,
 *   opening?: number, model?: string, tokensIn?: number, tokensOut?: number, error?: EventData['error'], stoppedBy?: {
 *   name: string } }} Turn
 */

/** Warnings that a model is asked once more. */
const retries = new Set(['rate_limited', 'unavailable', 'cut', 'hang', 'empty'])

/** How many characters of a running call's output the screen keeps. */
const longestOutput = 20_000

/** @returns {Turn} */
/** `opening`: the number of the event with the person's message that it answers. */
export const newTurn = (id, key, at, opening) => ({
  kind: 'turn',
  key,
  id,
  reason: 'message',
  opening,
  state: 'running',
  startedAt: at,
  parts: [],
  queued: false,
})

export const isOpen = (turn) => turn.state === 'running' || turn.state === 'waiting'

export const isPending = (part) => part.kind === 'request' && part.outcome === undefined && part.asked !== undefined

/** Lines beside the bot's own text, which don't end it. */
const isNotice = ({ kind }) => kind === 'warning' || kind === 'trust'

/** A draft without an end broke off when its process died, so it was never posted. */
const withoutOpenText = (parts) => parts.filter((part) => !(part.kind === 'text' && part.open))

/** Changes the part with this key, or appends what `create` gives when the part is not on this page of history. */
function upsert(parts, key, change, create) {
  const index = parts.findLastIndex((part) => part.key === key)
  if (index < 0) return create ? [...parts, create()] : parts
  return parts.with(index, change(parts[index]))
}

/** The final text replaces its streamed draft, and an earlier copy of the same text. */
function withoutDraftOf(parts, text, ended) {
  const wanted = text.trim()
  const lastOther = parts.findLastIndex((part) => part.kind !== 'text' && !isNotice(part))
  return parts.filter(
    (part, index) => part.kind !== 'text' || !((ended && index > lastOther) || part.text.trim() === wanted),
  )
}

/** The answer with this id, or the one that was announced before it was posted. */
function placeOfAnswer(parts, messageId) {
  if (messageId === undefined) return -1
  const known = parts.findIndex((part) => part.kind === 'answer' && part.messageId === messageId)
  return known >= 0 ? known : parts.findIndex((part) => part.kind === 'answer' && part.messageId === undefined)
}

function withAnswer(turn, message, at, key) {
  const { text, files, message_id: messageId } = message
  const place = placeOfAnswer(turn.parts, messageId)
  if (place >= 0) {
    const answer = { ...turn.parts[place], text, files, messageId, at }
    return { ...turn, parts: turn.parts.with(place, answer) }
  }
  const parts = withoutDraftOf(turn.parts, text, !isOpen(turn))
  return { ...turn, parts: [...parts, { kind: 'answer', key, text, files, messageId, at }] }
}

/** An answer in the middle of a turn: the last text, which the posted message will repeat. */
function withWordsAsAnswer(turn, messageId, at) {
  const place = turn.parts.findLastIndex((part) => part.kind !== 'said' && !isNotice(part))
  const words = turn.parts[place]
  if (words?.kind !== 'text' || turn.parts.some((part) => part.messageId === messageId)) return turn
  const answer = { kind: 'answer', key: words.key, text: words.text, files: [], messageId, at }
  return { ...turn, parts: turn.parts.with(place, answer) }
}

const newCall = (callId) => ({
  kind: 'call',
  key: callId,
  callId,
  toolName: '',
  status: 'running',
  result: '',
  output: '',
  input: null,
})

/** Only the end of the output is kept, because the result will have all of it. */
function withOutput(turn, { call_id: callId, text }) {
  const add = (part) => ({ ...part, output: (part.output + text).slice(-longestOutput) })
  return { ...turn, parts: upsert(turn.parts, callId, add) }
}

/** The calls that carry out a plan's steps, in every attempt. */
function withPlan(turn, { plan_id: id, title, status, steps }) {
  const calls = new Set([...(turn.plans?.[id]?.calls ?? []), ...steps.flatMap(({ call_id }) => call_id ?? [])])
  const done = steps.filter((one) => one.status === 'completed' || one.status === 'fallback').length
  return { ...turn, plans: { ...turn.plans, [id]: { title, status, done, count: steps.length, calls: [...calls] } } }
}

function withCall(turn, callId, fields) {
  const create = () => ({ ...newCall(callId), ...fields })
  return { ...turn, parts: upsert(turn.parts, callId, (part) => ({ ...part, ...fields }), create) }
}

/** The latest votes that still count, when several approvals are needed. */
function withVote(turn, data, at) {
  const { request_id: requestId, person, votes, needed } = data
  const add = (part) => {
    const before = (part.asked?.votes ?? []).filter((vote) => vote.person.id !== person.id)
    const counted = [...before, { person, at: Date.parse(at) }].slice(-votes)
    return part.asked ? { ...part, asked: { ...part.asked, votes: counted, needed } } : part
  }
  return { ...turn, parts: upsert(turn.parts, requestId, add) }
}

/** Other people are asked, or the same ones again. */
function withMove(turn, { request_id: requestId, who, needed, escalated }) {
  const move = (part) => {
    if (!part.asked) return part
    const moved = escalated || part.asked.moved === 'others' ? 'others' : 'again'
    return { ...part, asked: { ...part.asked, who, needed, moved } }
  }
  return { ...turn, parts: upsert(turn.parts, requestId, move) }
}

const requestKinds = {
  permission: 'approval',
  question: 'question',
  clarification: 'clarification',
  decision: 'decision',
  doom: 'loop',
}

function withRequest(turn, type, data, fields) {
  const requestKind = requestKinds[type.slice(0, type.indexOf('_'))]
  const { request_id: requestId, call_id: callId } = data
  const create = () => ({ kind: 'request', key: requestId, requestId, requestKind, callId, ...fields })
  return { ...turn, parts: upsert(turn.parts, requestId, (part) => ({ ...part, ...fields }), create) }
}

function ended(turn, state, at, more = {}) {
  return { ...turn, state, endedAt: at, queued: false, parts: withoutOpenText(turn.parts), ...more }
}

const awake = (turn) =>
  turn.state === 'waiting' && !turn.parts.some(isPending) ? { ...turn, state: 'running', queued: false } : turn

/** @type {Record<string, (turn: Turn, event: any) => Turn>} */
const changes = {
  start: (turn, { data }) => ({
    ...turn,
    reason: data.reason,
    state: 'running',
    error: undefined,
    endedAt: undefined,
    parts: withoutOpenText(turn.parts),
  }),
  thought: (turn, { data, event_id }) => ({
    ...turn,
    parts: [...turn.parts, { kind: 'thought', key: `thought-${event_id}`, text: data.text }],
  }),
  text_start: (turn, { data }) => {
    if (turn.parts.some(({ key }) => key === data.text_id)) return turn
    const draft = { kind: 'text', key: data.text_id, text: '', open: true }
    return { ...turn, parts: [...withoutOpenText(turn.parts), draft] }
  },
  text_delta: (turn, { data }) => {
    if (!isOpen(turn)) return turn
    const index = turn.parts.findLastIndex(({ key }) => key === data.text_id)
    const draft = { kind: 'text', key: data.text_id, text: data.delta, open: true }
    if (index < 0) return { ...turn, parts: [...withoutOpenText(turn.parts), draft] }
    const text = data.whole ? data.delta : turn.parts[index].text + data.delta
    return { ...turn, parts: turn.parts.with(index, { ...draft, text }) }
  },
  text_end: (turn, { data }) => {
    if (data.discarded || data.text.trim() === '') {
      return { ...turn, parts: turn.parts.filter((part) => part.key !== data.text_id) }
    }
    const fields = { kind: 'text', key: data.text_id, text: data.text, open: false }
    const change = () => fields
    return { ...turn, parts: upsert(turn.parts, data.text_id, change, change) }
  },
  act: (turn, { data }) =>
    withCall(awake(turn), data.call_id, {
      toolName: data.tool_name,
      title: data.title,
      input: data.tool_input,
      status: 'running',
    }),
  output: (turn, { data }) => withOutput(turn, data),
  work_plan: (turn, { data }) => withPlan(turn, data),
  subagent_assigned: (turn, { data: { call_id, conversation_id: id, name } }) =>
    withCall(turn, call_id, { child: { id, name } }),
  observe: (turn, { data }) => {
    const { call_id, tool_name, status, result, duration_ms } = data
    return withCall(turn, call_id, { toolName: tool_name, status, result, output: '', durationMs: duration_ms })
  },
  permission_asked: (turn, { type, data }) => withRequest(turn, type, data, { asked: data }),
  permission_voted: (turn, { data, timestamp }) => withVote(turn, data, timestamp),
  permission_moved: (turn, { data }) => withMove(turn, data),
  permission_replied: (turn, { type, data, timestamp }) =>
    awake(withRequest(turn, type, data, { outcome: data, answeredAt: timestamp })),
  waiting: (turn, { data }) => ({ ...turn, state: 'waiting', queued: data.queued === true }),
  stopped: (turn, { data, timestamp }) => ended(turn, 'stopped', timestamp, { stoppedBy: data.person }),
  error: (turn, { data, timestamp }) => ended(turn, 'error', timestamp, { error: data }),
  complete: (turn, { data, timestamp, event_id }) => {
    const { model, tokens_in: tokensIn, tokens_out: tokensOut } = data
    const done = ended(turn, 'done', timestamp, { model, tokensIn, tokensOut })
    if (data.content.trim() === '' && data.files.length === 0) return done
    const message = { text: data.content, files: data.files }
    return withAnswer(done, message, timestamp, `answer-${event_id}`)
  },
  said: (turn, { data, timestamp }) => withWordsAsAnswer(turn, data.message_id, timestamp),
  imported: (turn, { data, event_id }) => {
    if (data.messages === 0) return turn
    return {
      ...turn,
      parts: [...turn.parts, { kind: 'imported', key: `imported-${event_id}`, messages: data.messages }],
    }
  },
  context_compressed: (turn, { data: { strategy, before, after }, event_id }) => {
    const part = { kind: 'compressed', key: `compressed-${event_id}`, strategy }
    return { ...turn, parts: [...turn.parts, { ...part, before: before.tokens, after: after.tokens }] }
  },
  warning: (turn, { data, event_id }) => {
    const { code, message } = data
    const last = turn.parts.at(-1)
    // All attempts at one request are one line, and the latest says which it is.
    if (retries.has(code) && last?.kind === 'warning' && retries.has(last.code)) {
      return { ...turn, parts: turn.parts.with(-1, { ...last, code, message }) }
    }
    return { ...turn, parts: [...turn.parts, { kind: 'warning', key: `warning-${event_id}`, code, message }] }
  },
  message: (turn, { data, timestamp, event_id }) =>
    data.role === 'assistant' && data.turn_id !== undefined
      ? withAnswer(turn, data, timestamp, data.message_id)
      : {
          ...turn,
          parts: [
            ...turn.parts,
            { kind: 'said', key: data.message_id, message: data, at: timestamp, number: event_id },
          ],
        },
}
for (const kind of ['question', 'clarification', 'decision']) {
  changes[`${kind}_asked`] = changes.permission_asked
  changes[`${kind}_answered`] = changes.permission_replied
}
changes.doom_loop_detected = changes.permission_asked
changes.doom_loop_intervened = changes.permission_replied

/** The turn without the text streamed over a connection that was lost. */
export const withoutDraft = (turn) => ({ ...turn, parts: withoutOpenText(turn.parts) })

export const changesTurn = (type) => Object.hasOwn(changes, type)

/** The turn after this event; pure. Unknown events change nothing. */
export const applyToTurn = (turn, event) => (changesTurn(event.type) ? changes[event.type](turn, event) : turn)
