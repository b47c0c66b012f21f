import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { fileUrl, pathOfUrl } from '../api.js'
import { copyText } from '../clipboard.js'
import { formatSize } from '../format.js'
import { html, memo } from '../html.js'
import { createMarkdown } from '../markdown.js'
import { sanitise } from '../sanitise.js'
import { route } from '../state.js'
import { openWorkspace } from '../workspace.js'

const longest = 60_000

function addCopyButton(block) {
  const frame = document.createElement('div')
  frame.className = 'code-block'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button small copy'
  button.textContent = 'Copy'
  block.replaceWith(frame)
  frame.append(block, button)
}

function addTableFrame(table) {
  const frame = document.createElement('div')
  frame.className = 'table-frame'
  frame.tabIndex = 0
  frame.setAttribute('role', 'region')
  frame.setAttribute('aria-label', 'Table')
  table.replaceWith(frame)
  frame.append(table)
}

/** Updates only what changed, so that a growing answer doesn't lose the reader's selection. */
function patch(element, fragment) {
  const next = [...fragment.childNodes]
  let equal = 0
  while (equal < next.length && element.childNodes[equal]?.isEqualNode(next[equal])) equal += 1
  while (element.childNodes.length > equal) element.lastChild.remove()
  element.append(...next.slice(equal))
}

/** A link to one of the thread's files opens the drawer; with a modifier key, the browser handles it. */
function onLink(event) {
  const link = event.target.closest?.('a[download]')
  const { conversation } = route.peek()
  if (!link || !conversation || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const path = pathOfUrl(conversation, link.href)
  if (path === undefined) return
  event.preventDefault()
  openWorkspace(path)
}

function onClick(event) {
  onLink(event)
  const button = event.target.closest?.('button.copy')
  if (!button) return
  copyText(button.previousElementSibling.textContent).then((copied) => {
    button.textContent = copied ? 'Copied' : 'Couldn’t copy'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}

/** The bot's Markdown, sanitised. */
export const Prose = memo(({ text, live }) => {
  const element = useRef(null)
  const [whole, setWhole] = useState(false)
  const { conversation } = route.peek()
  const toHtml = useMemo(() => createMarkdown((path) => fileUrl(conversation ?? '', path)), [conversation])
  const cut = !whole && text.length > longest
  useLayoutEffect(() => {
    const fragment = sanitise(toHtml(cut ? text.slice(0, longest) : text))
    for (const block of fragment.querySelectorAll('pre')) addCopyButton(block)
    for (const table of fragment.querySelectorAll('table')) addTableFrame(table)
    patch(element.current, fragment)
  }, [text, toHtml, cut])
  return html`
    <div class=${live ? 'prose live' : 'prose'} dir="auto" ref=${element} onClick=${onClick}></div>
    ${cut && !live && html`<button class="button small" type="button" onClick=${() => setWhole(true)}>Show all (${formatSize(text.length)})</button>`}
  `
})
