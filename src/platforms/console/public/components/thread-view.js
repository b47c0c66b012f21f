import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { drawEnd, drawLater, drawn, isBeginningDrawn, isEndDrawn, paceBy } from '../drawn.js'
import { showEarlier } from '../feed.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { feed, outbox, route, thread } from '../state.js'
import { say } from '../words.js'
import { ItemView } from './item.js'
import { PendingMessage } from './pending.js'
import { Welcome } from './welcome.js'

const nearBottomPx = 60
/** More is drawn before somebody reaches the end of what is. */
const aheadPx = 2500

const hasMore = () => feed.value.hasEarlier || !isBeginningDrawn()

const showLater = (before) => {
  before()
  drawLater()
  return true
}

const topOf = (element) => element.getBoundingClientRect().top

/** The first thing on screen, whose place is kept while something is added or removed above it. */
function firstSeen(scroller) {
  const edge = topOf(scroller)
  const element = [...scroller.querySelectorAll('.thread > article')].find(
    (one) => one.getBoundingClientRect().bottom > edge,
  )
  return element && { element, top: topOf(element) }
}

/** Follows the newest line while the reader is at the end, and otherwise keeps the reader's place. */
function useScroll(contentKey) {
  const scroller = useRef(null)
  const content = useRef(null)
  const sticky = useRef(true)
  const [atEnd, setAtEnd] = useState(true)
  const toEnd = () => {
    sticky.current = true
    setAtEnd(true)
    if (!isEndDrawn()) drawEnd()
    scroller.current.scrollTop = scroller.current.scrollHeight
  }
  // A newly opened thread starts at its end.
  useLayoutEffect(() => {
    toEnd()
    const observer = new ResizeObserver(() => {
      if (sticky.current) scroller.current.scrollTop = scroller.current.scrollHeight
    })
    observer.observe(content.current)
    observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [contentKey])
  const lastTop = useRef(0)
  const onScroll = () => {
    // A frame or a task later, somebody may have left the thread.
    if (!scroller.current) return
    const { scrollTop, scrollHeight, clientHeight } = scroller.current
    const below = scrollHeight - scrollTop - clientHeight
    const near = below < nearBottomPx && isEndDrawn()
    // Growing content moves the end away without anyone scrolling, so only scrolling up stops the following.
    if (near) sticky.current = true
    else if (scrollTop < lastTop.current - 2) sticky.current = false
    lastTop.current = scrollTop
    setAtEnd(near || sticky.current)
    if (scrollTop < aheadPx && hasMore()) keepPlace(showEarlier)
    else if (below < aheadPx && !isEndDrawn()) keepPlace(showLater)
  }
  const busy = useRef(false)
  const keepPlace = async (change) => {
    if (busy.current) return
    busy.current = true
    let seen
    let begun
    const remember = () => {
      begun = performance.now()
      seen = scroller.current && firstSeen(scroller.current)
    }
    if (!(await change(remember))) {
      busy.current = false
      return
    }
    // The change is on the page by now, in the same task: a frame later, somebody may have scrolled, and it would undo
    // that.
    if (!sticky.current && seen?.element.isConnected) scroller.current.scrollTop += topOf(seen.element) - seen.top
    requestAnimationFrame(() => {
      // After this frame was painted: more in the same frame would make it a long one.
      setTimeout(() => {
        paceBy(performance.now() - begun)
        busy.current = false
        onScroll()
      })
    })
  }
  return { scroller, content, atEnd, toEnd, onScroll, keepPlace }
}

function Earlier({ keepPlace }) {
  const { loadingEarlier } = feed.value
  if (!hasMore()) return null
  return html`
    <div class="earlier">
      <button class="button small" type="button" disabled=${loadingEarlier} onClick=${() => keepPlace(showEarlier)}>
        ${loadingEarlier ? say.loadingMore() : say.loadEarlier()}
      </button>
    </div>
  `
}

const Loading = () => html`
  <div class="skeleton" role="status" aria-label=${say.loadingThread()}><i></i><i></i><i></i></div>
`

const isMine = (conversation, project) => (entry) =>
  entry.conversation === conversation && (conversation !== undefined || entry.project === project)

function Items() {
  const { conversation, project } = route.value
  const { items } = thread.value
  const { phase, error } = feed.value
  const entries = outbox.value.filter(isMine(conversation, project))
  // They are shown whatever becomes of the thread: the words stand nowhere else.
  const pending = entries.map((entry) => html`<${PendingMessage} key=${entry.key} entry=${entry} />`)
  if (phase === 'failed')
    return html`<div class="failure" role="alert"><${Icon} name="failed" /><p>${error}</p></div>${pending}`
  if (phase === 'loading') return html`<${Loading} />${pending}`
  if (items.length === 0 && entries.length === 0) return html`<${Welcome} />`
  const { first, after } = drawn.value
  const last = items.findLastIndex(({ kind }) => kind === 'turn' || kind === 'reset')
  return html`
    ${items.slice(first, after).map((item, index) => html`<${ItemView} key=${item.key} item=${item} isLast=${first + index === last} />`)}
    ${pending}
  `
}

export function ThreadView() {
  const { conversation, project } = route.value
  const { scroller, content, atEnd, toEnd, onScroll, keepPlace } = useScroll(`${project}/${conversation}`)
  const [seen, setSeen] = useState(0)
  const { lastSequence } = thread.value
  const { phase } = feed.value
  // A page whose items are small has nothing to scroll yet.
  useEffect(() => {
    if (phase === 'ready') requestAnimationFrame(onScroll)
  }, [phase])
  useEffect(() => {
    if (atEnd) setSeen(lastSequence)
  }, [atEnd, lastSequence])
  const sent = outbox.value.length
  // People want to see the message they just sent.
  useLayoutEffect(() => {
    if (sent > 0) toEnd()
  }, [sent])
  return html`
    <div class="thread-area">
      <div class="scroller" ref=${scroller} onScroll=${onScroll} tabindex="-1">
        <div class="thread" ref=${content}>
          <${Earlier} keepPlace=${keepPlace} />
          <${Items} />
        </div>
      </div>
      ${
        !atEnd &&
        html`<button class="button to-end" type="button" onClick=${toEnd}>
          <${Icon} name="down" />${lastSequence > seen ? say.newMessages() : say.scrollToEnd()}
        </button>`
      }
    </div>
    ${
      feed.value.connection === 'reconnecting' &&
      html`<div class="reconnecting" role="status"><span class="spinner"></span>${say.reconnecting()}</div>`
    }
  `
}
