/** Keeps the lists beside the thread fresh: the channel's threads and everything that waits for a person. */
import { getAbout, getConversation, listConversations, listPendingRequests } from './api.js'
import { go } from './route.js'
import { about, conversations, now, pendingHere, refused, report, requests, route } from './state.js'

const pollMs = 4000

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right)

async function refreshList() {
  const { project } = route.peek()
  const list = (await listConversations(project)).toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
  if (route.peek().project !== project) return
  const next = { project, list }
  if (!same(next, conversations.peek())) conversations.value = next
}

async function refreshRequests() {
  const next = await listPendingRequests()
  if (!same(next, requests.peek())) requests.value = next
}

/** Lists are renewed often; a missed renewal is made good by the next. */
export async function refresh() {
  const results = await Promise.allSettled([refreshList(), refreshRequests()])
  const closed = results.find(({ reason }) => reason?.status === 401)
  if (closed) refused.value = closed.reason
}

let timer
export function refreshSoon() {
  clearTimeout(timer)
  timer = setTimeout(refresh, 150)
}

export async function loadAbout() {
  try {
    about.value = await getAbout()
    document.title = about.value.name
  } catch (error) {
    report(error)
    if (error.status !== 401) setTimeout(loadAbout, 3000)
  }
}

/** Opens a thread of which only the id is known. */
export async function openById(id) {
  try {
    go((await getConversation(id)).project_id, id)
  } catch (error) {
    report(error)
  }
}

export function startSidebar() {
  loadAbout()
  refresh()
  setInterval(() => {
    if (document.hidden) return
    now.value = Date.now()
    refresh()
  }, pollMs)
  setInterval(() => {
    if (pendingHere.peek().some(({ asked }) => asked.deadline_at)) now.value = Date.now()
  }, 1000)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) refreshSoon()
  })
}
