/** The file drawer: opening it, and going from a file to the turn that changed it. */
import { drawFrom } from './drawn.js'
import { loadEarlier } from './feed.js'
import { feed, notify, route, setPanelOpen, thread, workspace } from './state.js'
import { refreshFilesSoon } from './thread-files.js'
import { say } from './words.js'

/** @param {string} [path] The file to show; the list when left out. */
export function openWorkspace(path) {
  if (matchMedia('(max-width: 1020px)').matches) setPanelOpen(false)
  workspace.value = { open: true, path }
  // Files may have changed outside a turn.
  refreshFilesSoon()
}

export const closeWorkspace = () => {
  workspace.value = { ...workspace.peek(), open: false }
}

export const showFile = (path) => {
  workspace.value = { open: true, path }
}

/** Where a turn begins on the page: at the message that started it, if that is right above. */
function placeOfTurn(turnId) {
  const { items } = thread.peek()
  const place = items.findIndex((item) => item.kind === 'turn' && item.id === turnId)
  if (place < 0) return undefined
  const above = items[place - 1]
  return above?.kind === 'message' && above.message.role !== 'assistant' ? above.key : items[place].key
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

/** Closes the drawer and goes to the message that started this turn, loading earlier pages if needed. */
export async function goToTurn(turnId) {
  const { conversation } = route.peek()
  closeWorkspace()
  while (placeOfTurn(turnId) === undefined && feed.peek().hasEarlier) {
    const loaded = await loadEarlier()
    if (route.peek().conversation !== conversation) return
    if (!loaded) break
  }
  const key = placeOfTurn(turnId)
  if (key !== undefined) drawFrom(key)
  await nextFrame()
  const element = key === undefined ? null : document.getElementById(`item-${key}`)
  if (element === null) return notify(say.turnGone())
  element.scrollIntoView({ block: 'start' })
  element.focus({ preventScroll: true })
  const wash = getComputedStyle(element).getPropertyValue('--accent-wash')
  element.animate([{ backgroundColor: wash }, { backgroundColor: wash, offset: 0.6 }, {}], { duration: 2400 })
}
