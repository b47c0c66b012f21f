/** The page's state. Components read it; the modules beside this one write it. */
import { computed, signal } from '@preact/signals'
import { dayOf } from './format.js'
import { groupsOf, isElsewhere, keyOf, placeOf } from './place.js'
import { recall, remember } from './preferences.js'
import { emptyThread, pendingOf, stateOf } from './thread.js'
import { say } from './words.js'

/**
 * @type {import('@preact/signals').Signal<{ name: string, version: string, model: { name: string, practice: boolean },
 *   signs_in: boolean, projects: string[], limits: { file_bytes: number, files_per_message: number }, commands: { name:
 *   string, argument: string | null, summary: string }[] } | undefined>}
 */
export const about = signal(undefined)
/** Set when the bot denies this browser access. */
export const refused = signal(undefined)
export const now = signal(Date.now())
export const today = computed(() => dayOf(now.value))

/** `project` is the channel's key (see place.js); `view` is set when a page other than a thread is shown. */
export const route = signal({ project: 'general', conversation: undefined, view: undefined })
export const addedProjects = signal(recall('projects', []))
/** The threads of a channel as far as they are loaded; `cursor` is where the rest begins. */
export const conversations = signal({ project: undefined, archived: false, list: [], cursor: null })
/** The channel's archived threads are listed instead of the others. */
export const archiveShown = signal(false)
/** What a search for threads found; undefined while nobody searches. */
export const found = signal(undefined)
/** The thread whose menu is open, and where. */
export const threadMenu = signal(undefined)
/** The thread on screen as the bot describes it, even when it isn't in the list. */
export const opened = signal(undefined)
/** The channels of all platforms that have threads. */
export const places = signal([])
/** Platforms that are not connected. */
export const outages = signal([])
export const requests = signal([])
/** Whether more requests wait than these. */
export const moreRequests = signal(false)
/** @type {import('@preact/signals').Signal<{ name: string, description: string, tier: string }[]>} */
export const tools = signal([])

export const thread = signal(emptyThread)
/** `phase` of the thread on screen; `connection` of its stream, which is paused while the page is hidden. */
export const feed = signal({
  phase: 'none',
  connection: 'live',
  hasEarlier: false,
  loadingEarlier: false,
  error: undefined,
})
/** The files of the thread on screen, and what its latest turns changed, newest first. */
export const files = signal([])
export const fileTurns = signal([])
/** `phase` of that list: 'loading', 'ready' or 'failed', which leaves what was loaded; and whether it was cut. */
export const fileList = signal({ phase: 'ready', problem: '', hasMore: false, hasMoreTurns: false })
/** The file drawer; `path` is the file on show. */
export const workspace = signal({ open: false, path: undefined })
export const outbox = signal([])
/** Whether the bot gave the lists when they were last asked for. */
export const isReached = signal(true)

/** As the bot takes it, which refuses invisible characters. */
const printable = (name) => name.slice(0, 60).replace(/\p{C}/gu, '').trim() || 'you'
/** The name chosen in this browser. */
const chosenName = signal(printable(recall('me', 'you')))
/** Who speaks here. Where people sign in, everybody is the operator, whatever name they chose. */
export const me = computed(() => (about.value?.signs_in ? 'operator' : chosenName.value))
export const isMe = (person) => person?.id === me.value || person?.name === me.value
export const theme = signal(recall('theme', 'system'))
export const panelOpen = signal(recall('panel', matchMedia('(min-width: 1180px)').matches))
export const sidebarOpen = signal(false)
export const shortcutsOpen = signal(false)
export const practiceHidden = signal(recall('practiceHidden', false))
export const notices = signal([])
export const announcement = signal('')

const placesAndHere = computed(() => [...places.value, placeOf(route.value.project)])
/** The console's own channels. */
export const projects = computed(() => [
  ...new Set([
    'general',
    ...(about.value?.projects ?? []),
    ...addedProjects.value,
    ...placesAndHere.value.filter((place) => !isElsewhere(place)).map(keyOf),
  ]),
])
/** Those of other platforms. */
export const groups = computed(() => {
  const unique = new Map(placesAndHere.value.map((place) => [keyOf(place), place]))
  return groupsOf([...unique.values()])
})
export const threadState = computed(() => stateOf(thread.value))
export const pendingHere = computed(() => pendingOf(thread.value))
export const conversationHere = computed(() => {
  const { conversation: id } = route.value
  if (id === undefined) return undefined
  return conversations.value.list.find((one) => one.id === id) ?? (opened.value?.id === id ? opened.value : undefined)
})
/** The platform, workspace and channel of what's on screen. */
export const placeHere = computed(() => conversationHere.value ?? placeOf(route.value.project))
/** Other platforms' threads, and those of subagents, are only read here. */
export const canWrite = computed(() => !isElsewhere(placeHere.value) && !conversationHere.value?.parent)
/**
 * Requests in any thread that wait for a person. This thread's own come straight from its events, once those are there
 * and unless they are paused.
 */
export const waitingCount = computed(() => {
  if (feed.value.phase !== 'ready' || feed.value.connection === 'paused') return requests.value.length
  const here = route.value.conversation
  return requests.value.filter((one) => one.conversation_id !== here).length + pendingHere.value.length
})

let noticeNumber = 0

/** Shows a short notice; one with the same words makes way for it. */
export function notify(text, kind = 'info', forMs = 8000) {
  noticeNumber += 1
  const number = noticeNumber
  const others = notices.value.filter((one) => one.text !== text)
  notices.value = [...others.slice(-2), { number, text, kind }]
  setTimeout(() => dismissNotice(number), forMs)
}

export const dismissNotice = (number) => {
  notices.value = notices.value.filter((one) => one.number !== number)
}

export const describe = (error) => [error.message, error.remedy].filter(Boolean).join(' ')

/** The text for a failed request to the bot. */
export function problemOf(error) {
  if (error.status === 401) refused.value = error
  return error.status === undefined ? say.notLoaded() : describe(error)
}

/** Reports a failed action. A 401 replaces the whole page. */
export function report(error) {
  if (error.name === 'AbortError') return
  if (error.status === 401) refused.value = error
  else
    notify(error instanceof TypeError || error.name === 'TimeoutError' ? say.notReachable() : describe(error), 'error')
}

export function setMe(name) {
  chosenName.value = printable(name)
  remember('me', chosenName.value)
}

export function setTheme(value) {
  theme.value = value
  remember('theme', value)
  if (value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
}

export function setPanelOpen(open) {
  panelOpen.value = open
  remember('panel', open)
}

export function hidePractice() {
  practiceHidden.value = true
  remember('practiceHidden', true)
}
