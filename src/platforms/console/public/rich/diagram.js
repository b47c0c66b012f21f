/** Diagrams. They are drawn in a sandboxed frame without access to the console, and shown as pictures. */
import { effect } from '@preact/signals'
import { theme } from '../state.js'
import { say } from '../words.js'

const longestText = 20_000
const longestMs = 6_000
/** 2.5 MB of script are read first; a slow computer or connection takes a while. */
const longestLoadMs = 60_000

export const isDiagram = (block) => block.querySelector('code.language-mermaid') !== null

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => (theme.peek() === 'system' ? systemIsDark.matches : theme.peek() === 'dark')

let frame
let number = 0
/** One after the other, so that a diagram that hangs can be told from those that wait. */
let queue = Promise.resolve()

/** A message from the frame that fits, or undefined after a while. */
function heard(from, fits, begin, withinMs = longestMs) {
  return new Promise((resolve) => {
    const end = (data) => {
      clearTimeout(timer)
      removeEventListener('message', onMessage)
      resolve(data)
    }
    const onMessage = ({ source, data }) => source === from.contentWindow && fits(data) && end(data)
    const timer = setTimeout(end, withinMs)
    addEventListener('message', onMessage)
    begin()
  })
}

async function open() {
  if (frame) return frame
  const opened = document.createElement('iframe')
  opened.setAttribute('sandbox', 'allow-scripts')
  opened.className = 'diagram-frame'
  opened.title = say.diagrams()
  opened.setAttribute('aria-hidden', 'true')
  opened.tabIndex = -1
  opened.src = '/diagram'
  const ready = await heard(
    opened,
    (data) => data?.ready === true,
    () => document.body.append(opened),
    longestLoadMs,
  )
  if (ready === undefined) {
    opened.remove()
    return undefined
  }
  frame = opened
  return frame
}

async function draw(text) {
  const used = await open()
  if (!used) return { problem: say.diagramNotLoaded() }
  number += 1
  const id = number
  const drawn = await heard(
    used,
    (data) => data?.id === id,
    () => used.contentWindow.postMessage({ id, text, dark: isDark() }, '*'),
  )
  if (drawn) return drawn
  used.remove()
  frame = undefined
  return { problem: say.diagramSlow() }
}

function drawInTurn(text) {
  if (text.length > longestText) return Promise.resolve({ problem: say.diagramLong() })
  const drawn = queue.then(() => draw(text))
  queue = drawn
  return drawn
}

const base64 = (text) => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))

function pictureOf({ svg, width, height, type }) {
  const picture = document.createElement('img')
  picture.src = `data:image/svg+xml;base64,${base64(svg)}`
  picture.width = Math.ceil(width)
  picture.height = Math.ceil(height)
  picture.alt = say.diagramWithText({ type: String(type ?? 'Mermaid').slice(0, 40) })
  return picture
}

/** The source of each diagram on the page, to draw it again when the theme changes. */
const sources = new WeakMap()

async function show(figure, text) {
  const drawn = await drawInTurn(text)
  const pane = figure.querySelector('.diagram')
  if (drawn.problem !== undefined) {
    const problem = document.createElement('p')
    problem.className = 'quiet'
    problem.textContent = say.diagramProblem({ reason: String(drawn.problem).split('\n')[0] })
    pane.replaceChildren(problem)
    figure.querySelector('details').open = true
    return
  }
  pane.replaceChildren(pictureOf(drawn))
}

/** Puts a diagram above its source, which folds. */
export function showDiagram(frame, text) {
  const figure = document.createElement('figure')
  figure.className = 'diagram-figure'
  const pane = document.createElement('div')
  pane.className = 'diagram'
  pane.tabIndex = 0
  pane.setAttribute('role', 'group')
  pane.setAttribute('aria-label', say.diagram())
  const waiting = document.createElement('p')
  waiting.className = 'quiet'
  waiting.textContent = say.drawing()
  pane.append(waiting)
  const source = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = say.diagramText()
  source.append(summary)
  frame.replaceWith(figure)
  source.append(frame)
  figure.append(pane, source)
  sources.set(figure, text)
  show(figure, text)
}

let shownDark = isDark()
function redraw() {
  if (isDark() === shownDark) return
  shownDark = isDark()
  for (const figure of document.querySelectorAll('.diagram-figure')) show(figure, sources.get(figure))
}
systemIsDark.addEventListener('change', redraw)
effect(() => {
  theme.value
  redraw()
})
