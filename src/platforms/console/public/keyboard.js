/** Keyboard shortcuts for the whole page. A focused field keeps its own keys. */
import { stop } from './actions.js'
import { go } from './route.js'
import { notify, panelOpen, route, setPanelOpen, shortcutsOpen, sidebarOpen, threadState, workspace } from './state.js'
import { say } from './words.js'
import { openWorkspace } from './workspace.js'

const twiceWithinMs = 900

export const shortcuts = [
  ['Enter', say.keySend()],
  ['Shift Enter', say.keyNewLine()],
  ['@  #', say.keyMention()],
  ['/', say.keyCommand()],
  ['j  k', say.keyNextThread()],
  ['n', say.newThread()],
  ['s', say.searchThreads()],
  ['f', say.keyPanel()],
  ['w', say.keyFiles()],
  ['Esc Esc', say.keyStop()],
  ['?', say.keyHelp()],
]

const isField = (element) => element?.matches?.('input, textarea, select, [contenteditable]') ?? false

/** Moves the focus to the next or previous thread in the list. */
export function moveInThreads(step) {
  const links = [...document.querySelectorAll('.thread-link')]
  if (links.length === 0) return
  const focused = links.indexOf(document.activeElement)
  const start = focused >= 0 ? focused : links.findIndex((link) => link.ariaCurrent === 'page')
  const next = start < 0 ? 0 : Math.min(links.length - 1, Math.max(0, start + step))
  links[next].focus()
}

/** Pages without a message box have only their contents to go to. */
export const focusComposer = () =>
  (document.querySelector('.composer textarea') ?? document.querySelector('main'))?.focus()

const actions = {
  '/': focusComposer,
  '?': () => {
    shortcutsOpen.value = true
  },
  j: () => moveInThreads(1),
  k: () => moveInThreads(-1),
  n: () => {
    go(route.peek().project)
    focusComposer()
  },
  s: () => document.querySelector('.thread-search input')?.focus(),
  f: () => setPanelOpen(!panelOpen.peek()),
  w: () => {
    if (route.peek().conversation) openWorkspace()
  },
}

let escapedAt = Number.NEGATIVE_INFINITY

function onEscape(event) {
  if (sidebarOpen.peek()) {
    sidebarOpen.value = false
    return
  }
  if (threadState.peek() === 'idle') return
  if (event.timeStamp - escapedAt < twiceWithinMs) {
    escapedAt = Number.NEGATIVE_INFINITY
    stop()
    return
  }
  escapedAt = event.timeStamp
  notify(say.escapeAgain(), 'info', twiceWithinMs)
}

/**
 * A key that ends or cancels what an input method composes is for the input method alone. Safari has ended it by the
 * time of the key, so that only the code tells.
 */
const isForInputMethod = ({ isComposing, keyCode }) => isComposing || keyCode === 229

export function startKeyboard() {
  addEventListener('keydown', (event) => isForInputMethod(event) && event.stopPropagation(), { capture: true })
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || shortcutsOpen.peek() || workspace.peek().open) return
    if (event.key === 'Escape') return onEscape(event)
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
    if (!action) return
    event.preventDefault()
    action()
  })
}
