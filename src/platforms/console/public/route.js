/** The address: #/<channel>/<thread>, or #!<page>. */

import { remember } from './preferences.js'
import { addedProjects, route, sidebarOpen } from './state.js'

const decoded = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Pages that are no thread. */
export const views = {
  ignored: 'not-answered',
  grants: 'trust',
  waiting: 'trust/waiting',
  audit: 'trust/audit',
}

/** The pages that are one: what the bot may do without being asked, what waits, and what happened. */
const trustViews = ['grants', 'waiting', 'audit']
export const isTrust = (view) => trustViews.includes(view)

function parseHash(hash) {
  const view = Object.keys(views).find((name) => hash === `#!${views[name]}`)
  if (view) return { view, project: undefined, conversation: undefined }
  const [project, conversation] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  return { view: undefined, project: project || 'general', conversation: conversation || undefined }
}

const encoded = (text) => encodeURIComponent(text).replaceAll('%3A', ':')

export const hashOf = (project, conversation) =>
  `#/${encoded(project)}${conversation ? `/${encoded(conversation)}` : ''}`

/** Turns any name into a channel's name: lower case, digits, dashes. */
const channelName = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48)

export function addChannel(text) {
  const name = channelName(text)
  if (name === '') return
  addedProjects.value = [...new Set([...addedProjects.value, name])]
  remember('projects', addedProjects.value)
  go(name)
}

function read() {
  const { view, project = route.peek().project, conversation } = parseHash(location.hash)
  const before = route.peek()
  if (project !== before.project || conversation !== before.conversation || view !== before.view) {
    route.value = { project, conversation, view }
  }
  sidebarOpen.value = false
}

export function go(project, conversation) {
  location.hash = hashOf(project, conversation)
  read()
}

/** The same thread under its right address: whoever linked it may not have known its channel. */
export function correct(project, conversation) {
  history.replaceState(null, '', hashOf(project, conversation))
  read()
}

export function startRoute() {
  addEventListener('hashchange', read)
  read()
}
