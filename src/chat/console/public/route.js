/** The address: #/<channel>/<thread>. */

import { remember } from './preferences.js'
import { addedProjects, route, sidebarOpen } from './state.js'

const decoded = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

export function parseHash(hash) {
  const [project, conversation] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  return { project: project || 'general', conversation: conversation || undefined }
}

export const hashOf = (project, conversation) =>
  `#/${encodeURIComponent(project)}${conversation ? `/${encodeURIComponent(conversation)}` : ''}`

/** Turns any name into a channel's name: lower case, digits, dashes. */
export const channelName = (text) =>
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
  const next = parseHash(location.hash)
  const { project, conversation } = route.peek()
  if (next.project !== project || next.conversation !== conversation) route.value = next
  sidebarOpen.value = false
}

export function go(project, conversation) {
  location.hash = hashOf(project, conversation)
  read()
}

export function startRoute() {
  addEventListener('hashchange', read)
  read()
}
