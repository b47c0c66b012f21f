/** What the page knows. Components read it; the modules beside this one write it. */
import { computed, signal } from '@preact/signals'
import { recall, remember } from './preferences.js'
import { emptyThread, pendingOf, stateOf } from './thread.js'

/** @type {import('@preact/signals').Signal<{ name: string, version: string, model: { name: string, practice: boolean },
 *   projects: string[] } | undefined>} */
export const about = signal(undefined)
/** Set when the bot does not let this browser in. */
export const refused = signal(undefined)
export const now = signal(Date.now())

export const route = signal({ project: 'general', conversation: undefined })
export const addedProjects = signal(recall('projects', []))
export const conversations = signal({ project: undefined, list: [] })
export const requests = signal([])

export const thread = signal(emptyThread)
/** `phase` of the thread on screen; `connection` of its stream. */
export const feed = signal({
  phase: 'none',
  connection: 'live',
  hasEarlier: false,
  loadingEarlier: false,
  error: undefined,
})
export const files = signal([])
export const outbox = signal([])

export const me = signal(recall('me', 'you'))
export const theme = signal(recall('theme', 'system'))
export const panelOpen = signal(recall('panel', matchMedia('(min-width: 1180px)').matches))
export const sidebarOpen = signal(false)
export const shortcutsOpen = signal(false)
export const practiceHidden = signal(recall('practiceHidden', false))
export const notices = signal([])
export const announcement = signal('')

export const projects = computed(() => [
  ...new Set(['general', ...(about.value?.projects ?? []), ...addedProjects.value, route.value.project]),
])
export const threadState = computed(() => stateOf(thread.value))
export const pendingHere = computed(() => pendingOf(thread.value))
export const conversationHere = computed(() =>
  conversations.value.list.find((one) => one.id === route.value.conversation),
)
/** Requests anywhere that wait for a person; those of this thread as soon as its events say so. */
export const waitingCount = computed(() => {
  const here = route.value.conversation
  return requests.value.filter((one) => one.conversation_id !== here).length + pendingHere.value.length
})

let noticeNumber = 0

/** Says something in passing. */
export function notify(text, kind = 'info', forMs = 8000) {
  noticeNumber += 1
  const number = noticeNumber
  notices.value = [...notices.value.slice(-2), { number, text, kind }]
  setTimeout(() => dismissNotice(number), forMs)
}

export const dismissNotice = (number) => {
  notices.value = notices.value.filter((one) => one.number !== number)
}

export const describe = (error) => [error.message, error.remedy].filter(Boolean).join(' ')

/** Tells of a failed action; one that means "not let in" takes the page. */
export function report(error) {
  if (error.name === 'AbortError') return
  if (error.status === 401) refused.value = error
  else notify(error instanceof TypeError ? 'The bot cannot be reached. Is it running?' : describe(error), 'error')
}

export function setMe(name) {
  me.value = name.trim().slice(0, 60) || 'you'
  remember('me', me.value)
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
