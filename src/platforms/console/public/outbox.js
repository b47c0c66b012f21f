/** Sends what is in the outbox. */
import { effect } from '@preact/signals'
import { sendMessage } from './api.js'
import { draftKey, findUnreadable, moveDraft } from './drafts.js'
import { visibleName } from './format.js'
import { change, discard, entryOf, keep, namesOf, newKey } from './outbox-entries.js'
import { recall } from './preferences.js'
import { go } from './route.js'
import { refreshSoon } from './sidebar.js'
import { isReached, me, notify, outbox, refused, route, thread } from './state.js'
import { readEvents } from './stream.js'
import { say } from './words.js'

const attempts = 6
/** What is told of a message in another thread stays for this long, ms. */
const tellMs = 30_000

/** Threads that were deleted, each with the channel where what wasn't sent to it waits for a new one. */
const left = new Map()

/** What is under way to the thread may still arrive, like the message that deleted it. */
export function leaveThread(conversation, project) {
  left.set(conversation, project)
  for (const { key, state } of outbox.peek()) if (state === 'failed') leave(key)
}

function leave(key) {
  const entry = entryOf(key)
  if (!left.has(entry?.conversation)) return
  if (entry.text === '' && entry.files.length === 0) return discard(key)
  const place = { conversation: undefined, project: left.get(entry.conversation), replaces: undefined, seen: 0 }
  // Under its old key it may have arrived in the old thread. In a new one, a person sends it.
  change(key, { ...place, key: newKey(), isLost: false, mayHaveArrived: false, error: say.goneWhenSent() })
}

/** A thread that this message starts gets its id with the first event, and so does what waits for that thread. */
function noteConversation(entry, conversation) {
  if (entry.conversation === conversation) return
  const begun = draftKey(entry)
  entry.conversation = conversation
  change(entry.key, { conversation })
  for (const { key } of waitingIn(begun)) change(key, { conversation })
  const at = route.peek()
  if (at.project !== entry.project || at.conversation !== undefined || at.view !== undefined) return
  // What is being written on the page for a new thread goes along into the thread.
  moveDraft(draftKey(at), conversation)
  go(entry.project, conversation)
}

async function attempt(entry) {
  const response = await sendMessage({ ...entry, userId: entry.userId })
  let arrivedAs
  await readEvents(response, (event) => {
    noteConversation(entry, event.conversation_id)
    arrivedAs ??= event.event_id
    if (event.type === 'message' && event.data.role === 'user') arrivedAs = event.event_id
    return event.type === 'message' || event.type === 'complete' || event.type === 'waiting'
  })
  if (arrivedAs === undefined) throw new TypeError('The stream ended before its first event.')
  return arrivedAs
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Of a thread, or of a channel for a new one. */
const inPlace = (place, states) => outbox.peek().filter((one) => states.includes(one.state) && draftKey(one) === place)
const waitingIn = (place) => inPlace(place, ['waiting'])
const underWayIn = (place) => inPlace(place, ['sending', 'retrying', 'overtaken'])

/** As the bot reads it: `api/chat.ts` takes the mention off, `inbound/commands/parse.ts` reads the rest. */
const isStop = ({ conversation, text, files, replaces }) =>
  /^\s*(@bobbin\b[,:]?\s*)?\/?(bobbin\s+)?stop[.!]?\s*$/i.test(text) &&
  conversation !== undefined &&
  files.length === 0 &&
  replaces === undefined

/**
 * Messages for the same thread go out one after the other, so that none is read before what was written earlier. If the
 * thread has no id yet, the first one begins it. Only a stop doesn't wait.
 */
function deliver(key) {
  change(key, { state: 'waiting', error: undefined })
  const entry = entryOf(key)
  // Not at once: of several that are delivered together, a later one may be a stop.
  const begin = isStop(entry) ? () => deliverTo(key) : () => deliverNext(draftKey(entry))
  if (isStop(entry)) overtake(entry)
  queueMicrotask(begin)
}

function deliverNext(place) {
  const [next] = waitingIn(place)
  if (next !== undefined && underWayIn(place).length === 0) void deliverTo(next.key)
}

/** What a stop overtakes isn't sent after it by itself. An attempt under way may arrive, so it has yet to end. */
function overtake({ key, conversation }) {
  for (const { key: earlier, state, conversation: of } of outbox.peek()) {
    if (earlier === key) return
    if (of !== conversation || state === 'sent' || state === 'failed') continue
    const next = state === 'waiting' ? 'failed' : 'overtaken'
    change(earlier, { state: next, isLost: false, error: say.overtakenByStop() })
  }
}

/** This message has arrived, so a person decides whether what was lost before it is still to be said. */
function leaveToPeople({ key, conversation }) {
  for (const one of outbox.peek()) {
    if (one.key === key) return
    if (one.conversation === conversation) change(one.key, { isLost: false })
  }
}

/** What waits behind a lost message is lost with it, so that they go out in their order later. */
function lose(entry, error) {
  for (const { key } of [entry, ...waitingIn(draftKey(entry))]) {
    change(key, { state: 'failed', error, isLost: true })
    tellElsewhere(key)
  }
}

async function deliverTo(key) {
  if (entryOf(key)?.state !== 'waiting') return
  change(key, { state: 'sending' })
  // A thread that it begins gives it an id.
  const entry = { ...entryOf(key) }
  await untilEnd(entry)
  deliverNext(draftKey(entry))
}

/** Sends a message until it has arrived or failed. */
async function untilEnd(entry) {
  const { key } = entry
  const isOvertaken = () => entryOf(key)?.state === 'overtaken'
  for (let tried = 1; ; tried += 1) {
    try {
      const sequence = await attempt(entry)
      change(key, { state: 'sent', sequence })
      leaveToPeople(entry)
      clearArrived()
      refreshSoon()
      return
    } catch (error) {
      if (error.status === 401) refused.value = error
      const gone = error.status === undefined ? await findUnreadable(entry.files) : undefined
      // It may have been stored though its response was lost or says that something went wrong.
      if (gone === undefined && !(error.status < 500)) change(key, { mayHaveArrived: true })
      const isDown = error.status === undefined || [502, 503, 504].includes(error.status)
      const worthwhile = gone === undefined && isDown && !left.has(entry.conversation)
      if (!worthwhile) {
        return fail(key, gone ? say.fileUnreadable({ name: visibleName(gone.name) }) : reasonOf(error))
      }
      if (!isOvertaken()) {
        if (tried === attempts) return lose(entry, reasonOf(error))
        change(key, { state: 'retrying' })
        await sleep(Math.min(8000, 500 * 2 ** tried))
      }
      if (isOvertaken()) return fail(key, say.overtakenByStop())
    }
  }
}

function fail(key, error) {
  change(key, { state: 'failed', error, isLost: false })
  leave(key)
  tellElsewhere(key)
}

function isShown({ conversation, project }) {
  const at = route.peek()
  if (conversation !== at.conversation) return false
  return conversation !== undefined || (project === at.project && at.view === undefined)
}

/** Only its own thread shows that it wasn't sent. */
function tellElsewhere(key) {
  const entry = entryOf(key)
  if (entry === undefined || isShown(entry)) return
  const text = entry.text.slice(0, 80) || namesOf(entry.files) || say.answerAgain()
  notify(say.notSentElsewhere({ text, error: entry.error }), 'error', tellMs)
}

const reasonOf = (error) =>
  error.status === undefined ? say.notLoaded() : [error.message, error.remedy].filter(Boolean).join(' ')

/** Drops a message from the outbox once the thread itself shows it. */
function clearArrived() {
  const { lastSequence } = thread.value
  const { conversation } = route.peek()
  const arrived = ({ state, sequence, conversation: of }) =>
    state === 'sent' && conversation !== undefined && (of !== conversation || sequence <= lastSequence)
  if (outbox.peek().some(arrived)) {
    outbox.value = outbox.peek().filter((entry) => !arrived(entry))
    keep()
  }
}

/**
 * @param {{ project: string, conversation?: string, text: string, files: File[], replaces?: number }} message
 *   `replaces`: the number of the event with the message that this one takes the place of; without text, it is answered
 *   again.
 */
export function send({ project, conversation, text, files, replaces }) {
  const key = newKey()
  const entry = {
    key,
    project,
    conversation,
    text,
    files,
    replaces,
    // It answers no question that isn't on the screen.
    seen: thread.peek().lastSequence,
    userId: me.peek(),
    state: 'waiting',
    at: new Date().toISOString(),
  }
  outbox.value = [...outbox.peek(), entry]
  deliver(key)
}

/** Whoever says so again has seen what was said since. */
export function retry(key) {
  const { seen = 0 } = entryOf(key) ?? {}
  // While the thread loads, nothing of it is on the screen.
  change(key, { seen: Math.max(seen, thread.peek().lastSequence) })
  deliver(key)
}

/** An edit would fold away what has been said since, so a person decides. */
const goesAgain = ({ state, isLost, replaces, filesNotKept }) =>
  state === 'failed' && isLost && !replaces && !filesNotKept

/** The network or the bot is back. What is under way was written later: once it has arrived, people decide. */
function deliverLost() {
  const isFree = (place) => waitingIn(place).length === 0 && underWayIn(place).length === 0
  const free = outbox.peek().filter((one) => goesAgain(one) && isFree(draftKey(one)))
  for (const { key } of free) deliver(key)
}

export function startOutbox() {
  effect(clearArrived)
  addEventListener('online', deliverLost)
  isReached.subscribe((reached) => reached && deliverLost())
  addEventListener('beforeunload', (event) => {
    if (outbox.peek().some(({ state, files }) => state !== 'sent' && files.length > 0)) event.preventDefault()
  })
  outbox.value = recall('outbox', [], sessionStorage)
  // One that was refused may not fit any more, so a person decides.
  for (const entry of outbox.peek()) if (entry.state !== 'failed' || goesAgain(entry)) deliver(entry.key)
}
