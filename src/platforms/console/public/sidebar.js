/** Keeps the sidebar's lists up to date: channels, threads, and everything that waits for a person. */
import { effect } from '@preact/signals'
import { getAbout, getConversation, listPendingRequests, listProjects, listTools } from './api.js'
import { refreshHealth } from './health.js'
import { oneAtATime } from './one-at-a-time.js'
import { keyOf } from './place.js'
import { go } from './route.js'
import { about, isReached, moreRequests, now, pendingHere, places, refused, report, requests, tools } from './state.js'
import { refreshList } from './thread-list.js'

const pollMs = 4000
/** A hidden page only keeps its title up to date. */
const hiddenPollMs = 20_000
/** Channels and connections rarely change. */
const seldom = 3

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right)

async function refreshRequests() {
  const { requests: next, next_cursor: cursor } = await listPendingRequests()
  moreRequests.value = cursor !== null
  if (!same(next, requests.peek())) requests.value = next
}

async function refreshPlaces() {
  const next = await listProjects()
  if (!same(next, places.peek())) places.value = next
}

/** Lists refresh often, so a failed refresh is made up for by the next. */
const refresh = oneAtATime(() => ask([refreshList(), refreshRequests()]))

const refreshHidden = oneAtATime(() => ask([refreshRequests()]))

async function ask(lists) {
  const results = await Promise.allSettled(lists)
  for (const { reason } of results) noteRefusal(reason)
  isReached.value = results.every(({ status }) => status === 'fulfilled')
}

function noteRefusal(error) {
  if (error?.status === 401) refused.value = error
}

const refreshSeldom = oneAtATime(() => Promise.allSettled([refreshPlaces(), refreshHealth()]))

let timer
export function refreshSoon() {
  clearTimeout(timer)
  timer = setTimeout(refresh, 150)
}

async function loadAbout() {
  try {
    about.value = await getAbout()
    tools.value = await listTools()
  } catch (error) {
    report(error)
    if (error.status !== 401) setTimeout(loadAbout, 3000)
  }
}

/** Opens a thread by its id alone. */
export async function openById(id) {
  try {
    go(keyOf(await getConversation(id)), id)
  } catch (error) {
    report(error)
  }
}

export function startSidebar() {
  loadAbout()
  refresh()
  refreshSeldom()
  let polls = 0
  const poll = setInterval(() => {
    if (document.hidden) return
    now.value = Date.now()
    refresh()
    polls += 1
    if (polls % seldom === 0) refreshSeldom()
  }, pollMs)
  const hiddenPoll = setInterval(() => {
    if (document.hidden) refreshHidden()
  }, hiddenPollMs)
  const clock = setInterval(() => {
    if (pendingHere.peek().some(({ asked }) => asked.deadline_at)) now.value = Date.now()
  }, 1000)
  const onShown = () => {
    if (document.hidden) return
    refreshSoon()
    refreshSeldom()
  }
  document.addEventListener('visibilitychange', onShown)
  // Only a reload leads on from there, and each further request would be one with a wrong token.
  effect(() => {
    if (!refused.value) return
    for (const repeated of [poll, hiddenPoll, clock]) clearInterval(repeated)
    document.removeEventListener('visibilitychange', onShown)
  })
}
