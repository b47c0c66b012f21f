import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { fileUrl, pathOfUrl } from '../api.js'
import { copyText } from '../clipboard.js'
import { formatSize } from '../format.js'
import { html, memo } from '../html.js'
import { createMarkdown } from '../markdown.js'
import { enhance } from '../rich/enhance.js'
import { linkFootnotes } from '../rich/footnotes.js'
import { sanitise } from '../sanitise.js'
import { route } from '../state.js'
import { say } from '../words.js'
import { openWorkspace } from '../workspace.js'

const longest = 60_000

/**
 * Updates only what changed, so that a growing answer doesn't lose the reader's selection, and what was drawn stays.
 * `plain` are the nodes on the page as they were before they were enhanced.
 */
function patch(element, plain, fragment, live) {
  const next = [...fragment.childNodes]
  let equal = 0
  while (equal < next.length && plain[equal]?.isEqualNode(next[equal])) equal += 1
  while (element.childNodes.length > equal) element.lastChild.remove()
  const fresh = next.slice(equal)
  plain.splice(equal, plain.length, ...fresh.map((node) => node.cloneNode(true)))
  // The end of an answer that still streams changes with each word.
  const end = live ? fresh.findLastIndex(({ nodeType }) => nodeType === Node.ELEMENT_NODE) : -1
  const growing = end < 0 ? [] : fresh.splice(end)
  plain.length -= growing.length
  const done = document.createDocumentFragment()
  done.append(...fresh)
  enhance(done)
  element.append(done, ...growing)
  if (!live) linkFootnotes(element)
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
  const text = button?.closest('.code-block')?.querySelector('pre').textContent
  if (text === undefined) return
  copyText(text).then((copied) => {
    button.textContent = copied ? say.copied() : say.couldNotCopy()
    setTimeout(() => {
      button.textContent = say.copy()
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
  const plain = useRef([])
  useLayoutEffect(() => {
    patch(element.current, plain.current, sanitise(toHtml(cut ? text.slice(0, longest) : text)), live)
  }, [text, toHtml, cut, live])
  return html`
    <div class=${live ? 'prose live' : 'prose'} dir="auto" ref=${element} onClick=${onClick}></div>
    ${cut && !live && html`<button class="button small" type="button" onClick=${() => setWhole(true)}>${say.showAll({ count: formatSize(text.length) })}</button>`}
  `
})
