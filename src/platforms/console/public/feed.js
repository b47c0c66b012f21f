/** The thread on screen: loads its newest events, follows its stream, and loads older events on demand. */
import { batch } from '@preact/signals'
import { announce } from './announce.js'
import { getConversation, getEvents, isFinal, openStream } from './api.js'
import { draftKey, moveDraft } from './drafts.js'
import { drawAll, drawEarlier, drawEnd, drawn, isBeginningDrawn, replaceThread } from './drawn.js'
import { frameBatch } from './frame-batch.js'
import { leaveThread } from './outbox.js'
import { keyOf } from './place.js'
import { correct, go } from './route.js'
import { refreshSoon } from './sidebar.js'
import { announcement, describe, feed, notify, opened, refused, report, route, thread, workspace } from './state.js'
import { follow } from './stream.js'
import { asStored, emptyThread, pendingOf, reduce, withKnown } from './thread.js'
import { refreshFilesSoon, replaceFiles } from './thread-files.js'
import { whileShown } from './while-shown.js'
import { say } from './words.js'

const pageSize = 1500
/** How long the view is built without a pause, ms. */
const sliceMs = 8
const reconnectNoticeMs = 1200

const setFeed = (fields) => {
  feed.value = { ...feed.peek(), ...fields }
}

/**
 * `from`: the number from which on its events are loaded.
 * @type {{ id: string, abort: AbortController, events: any[], from: number, draft?: any,
 *   loading?: { last: number, from: number, events: any[] } } | undefined}
 */
let current

const showsFiles = new Set(['message', 'act', 'observe', 'waiting', 'complete', 'stopped', 'error'])
const showsList = new Set(['message', 'start', 'waiting', 'complete', 'stopped', 'error', 'permission_replied'])

/** Marks in the list of events where a new connection begins. */
const connected = { type: 'connected' }

const draw = (before, event) => (event === connected ? asStored(before) : reduce(before, event))

/** The text streamed so far as one event, because the view may be rebuilt in the middle of a stream. */
function keepDraft(session, event) {
  if (event === connected || event.type === 'text_end') session.draft = undefined
  if (event.type !== 'text_delta') return
  const { data } = event
  const delta = data.whole ? data.delta : (session.draft?.data.delta ?? '') + data.delta
  session.draft = { ...event, data: { ...data, delta, whole: true } }
}

function take(session, events) {
  if (current !== session) return
  const before = thread.peek()
  const fresh = events.filter(({ event_id: id }) => id === undefined || id > before.lastSequence)
  if (fresh.length === 0) return
  if (fresh.some(({ type }) => type === 'deleted')) return leaveDeleted(session)
  session.events.push(...fresh.filter(({ event_id: id }) => id !== undefined))
  for (const event of fresh) keepDraft(session, event)
  thread.value = fresh.reduce(draw, before)
  announce(fresh)
  if (fresh.some(({ type }) => showsFiles.has(type))) refreshFilesSoon()
  if (fresh.some(({ type }) => showsList.has(type))) refreshSoon()
}

/** Replaces a deleted thread with the page for starting a new one. */
function leaveDeleted({ id }) {
  const { project } = route.peek()
  moveDraft(id, draftKey({ project }))
  leaveThread(id, project)
  go(project)
  announcement.value = ''
  notify(say.threadDeletedHere())
  refreshSoon()
}

/** `events`: those that are loaded already; the others are added to them. */
async function loadRange(id, from, to, signal, events = []) {
  let next = (events.at(-1)?.event_id ?? from - 1) + 1
  while (next <= to) {
    const page = await getEvents(id, next, Math.min(pageSize, to - next + 1), signal)
    const wanted = page.events.filter((event) => event.event_id <= to)
    events.push(...wanted)
    if (!page.has_more || wanted.length === 0) break
    next = wanted.at(-1).event_id + 1
  }
  return events
}

/** A page of the events before a number, and the number from which on they are loaded. */
async function loadBefore(number, { id, abort }) {
  let events = []
  let from = number
  // Where the steps of a long turn were deleted, a page may be empty.
  while (events.length === 0 && from > 1) {
    const to = from - 1
    from = Math.max(1, from - pageSize)
    events = await loadRange(id, from, to, abort.signal)
  }
  return { events, from }
}

async function load(session) {
  const { id, abort } = session
  const conversation = await getConversation(id, abort.signal)
  const { last_sequence: newest, pending_requests: waiting } = conversation
  // What a lost connection let through isn't loaded again.
  session.loading ??= { last: newest, from: Math.max(1, newest - pageSize + 1), events: [] }
  const { loading } = session
  await loadRange(id, loading.from, loading.last, abort.signal, loading.events)
  let view = loading.events.reduce(reduce, emptyThread)
  // Whatever waits for a person is shown, however much has happened since it was asked.
  while (loading.from > 1 && pendingOf(view).length < waiting) {
    const earlier = await loadBefore(loading.from, session)
    Object.assign(loading, { from: earlier.from, events: [...earlier.events, ...loading.events] })
    view = loading.events.reduce(reduce, emptyThread)
  }
  if (current !== session) return
  const { events, from } = loading
  Object.assign(session, { events, from, loading: undefined })
  batch(() => {
    opened.value = conversation
    if (route.peek().project !== keyOf(conversation)) correct(keyOf(conversation), id)
    thread.value = view
    drawEnd()
    setFeed({ phase: 'ready', hasEarlier: from > 1 })
  })
  refreshFilesSoon()
}

async function run(session) {
  const { id, abort } = session
  for (let failures = 0; ; failures += 1) {
    try {
      await load(session)
      break
    } catch (error) {
      if (current !== session) return
      if (isFinal(error)) return fail(error)
      setFeed({ connection: 'reconnecting' })
      await new Promise((resolve) => setTimeout(resolve, Math.min(8000, 500 * 2 ** failures)))
      if (current !== session) return
    }
  }
  const push = frameBatch((events) => take(session, events))
  let noticeTimer
  const onConnection = (state) => {
    clearTimeout(noticeTimer)
    if (current !== session) return
    if (state === 'live') push(connected)
    if (state !== 'reconnecting') setFeed({ connection: state })
    else
      noticeTimer = setTimeout(() => current === session && setFeed({ connection: 'reconnecting' }), reconnectNoticeMs)
  }
  const followOn = (signal) =>
    follow({
      connect: (last, attempt) => openStream(id, last, attempt),
      lastSequence: thread.peek().lastSequence,
      onEvent: push,
      onConnection,
      isFinal,
      signal,
    })
  try {
    // Browsers open six connections to a host, for all its tabs, so hidden tabs must not keep them.
    await whileShown(followOn, abort.signal, () => {
      onConnection('paused')
      refreshSoon()
    })
  } catch (error) {
    if (current !== session) return
    if (error.code !== 'history_changed') return fail(error)
    // What is on the screen isn't what the bot knows.
    notify(error.message)
    openThread(undefined)
    openThread(id)
  }
}

function fail(error) {
  if (error.status === 401) refused.value = error
  setFeed({ phase: 'failed', error: describe(error) })
}

/** Closes the thread on screen and opens this one, or none. */
export function openThread(id) {
  if (current?.id === id) return
  current?.abort.abort()
  current = id ? { id, abort: new AbortController(), events: [], from: 1 } : undefined
  batch(() => {
    thread.value = emptyThread
    drawAll()
    replaceFiles(id)
    workspace.value = { open: false, path: undefined }
    opened.value = undefined
    feed.value = {
      phase: id ? 'loading' : 'none',
      connection: 'live',
      hasEarlier: false,
      loadingEarlier: false,
      error: undefined,
    }
  })
  if (current) run(current)
}

const nextFrame = () =>
  new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve)
    else requestAnimationFrame(resolve)
  })

/** The view of all loaded events, built with pauses; undefined once another thread is on screen. */
async function rebuilt(session) {
  let view = emptyThread
  let until = performance.now() + sliceMs
  // Events that arrive meanwhile are at the end of the list.
  for (let next = 0; next < session.events.length; next += 1) {
    view = reduce(view, session.events[next])
    if (performance.now() < until) continue
    await nextFrame()
    if (current !== session) return undefined
    until = performance.now() + sliceMs
  }
  return session.draft === undefined ? view : reduce(view, session.draft)
}

/**
 * Loads one more page of history; true on success. The view is rebuilt so that an old question gets its later answer.
 */
export async function loadEarlier() {
  const session = current
  if ((session?.from ?? 1) <= 1 || feed.peek().loadingEarlier) return false
  setFeed({ loadingEarlier: true })
  try {
    const { events, from } = await loadBefore(session.from, session)
    if (current !== session) return false
    Object.assign(session, { events: [...events, ...session.events], from })
    const view = await rebuilt(session)
    if (view === undefined) return false
    batch(() => {
      const { first, after } = drawn.peek()
      replaceThread({ ...view, items: withKnown(thread.peek().items.slice(first, after), view.items) })
      setFeed({ hasEarlier: from > 1, loadingEarlier: false })
    })
    return true
  } catch (error) {
    if (current !== session) return false
    if (isFinal(error)) fail(error)
    else if (error.status || error.name === 'TimeoutError') report(error)
    return false
  } finally {
    if (current === session) setFeed({ loadingEarlier: false })
  }
}

/**
 * Shows more items above: those that are loaded, and then more history. True if some were; `before` is called right
 * before.
 */
export async function showEarlier(before) {
  if (isBeginningDrawn() && !(await loadEarlier())) return false
  if (isBeginningDrawn()) return false
  before()
  drawEarlier()
  return true
}
