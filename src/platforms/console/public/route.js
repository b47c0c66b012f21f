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

/** Pages other than threads. */
export const views = {
  ignored: 'not-answered',
  grants: 'trust',
  waiting: 'trust/waiting',
  audit: 'trust/audit',
  agents: 'agents',
  costs: 'costs',
  skills: 'skills',
  tools: 'skills/tools',
  servers: 'skills/servers',
}

/** The tabs of the Trust page: grants, waiting requests and the audit log. */
const trustViews = ['grants', 'waiting', 'audit']
export const isTrust = (view) => trustViews.includes(view)

/** The tabs about what the bot can do. */
const abilityViews = ['skills', 'tools', 'servers']
export const isAbilities = (view) => abilityViews.includes(view)

function parseHash(hash) {
  const view = Object.keys(views).find((name) => hash === `#!${views[name]}`)
  if (view) return { view, project: undefined, conversation: undefined }
  const [project, conversation] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  return { view: undefined, project: project || 'general', conversation: conversation || undefined }
}

const encoded = (text) => encodeURIComponent(text).replaceAll('%3A', ':')

export const hashOf = (project, conversation) =>
  `#/${encoded(project)}${conversation ? `/${encoded(conversation)}` : ''}`

/** Turns any name into a channel name of lower-case letters, digits and dashes. */
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

/** Corrects the address of a thread, because whoever linked to it may not have known its channel. */
export function correct(project, conversation) {
  history.replaceState(null, '', hashOf(project, conversation))
  read()
}

export function startRoute() {
  addEventListener('hashchange', read)
  read()
}
