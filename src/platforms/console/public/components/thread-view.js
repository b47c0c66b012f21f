import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { loadEarlier } from '../feed.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { feed, outbox, route, thread } from '../state.js'
import { ItemView } from './item.js'
import { PendingMessage } from './pending.js'
import { Welcome } from './welcome.js'

const nearBottomPx = 60

/** Follows the newest line while the reader is at the end, and otherwise keeps the reader's place. */
function useScroll(contentKey) {
  const scroller = useRef(null)
  const content = useRef(null)
  const sticky = useRef(true)
  const heightBefore = useRef(0)
  const [atEnd, setAtEnd] = useState(true)
  const toEnd = () => {
    sticky.current = true
    setAtEnd(true)
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
    const { scrollTop, scrollHeight, clientHeight } = scroller.current
    const near = scrollHeight - scrollTop - clientHeight < nearBottomPx
    // Growing content moves the end away without anyone scrolling, so only scrolling up stops the following.
    if (near) sticky.current = true
    else if (scrollTop < lastTop.current - 2) sticky.current = false
    lastTop.current = scrollTop
    setAtEnd(near || sticky.current)
  }
  const keepPlace = async (change) => {
    sticky.current = false
    heightBefore.current = scroller.current.scrollHeight - scroller.current.scrollTop
    await change()
    requestAnimationFrame(() => {
      scroller.current.scrollTop = scroller.current.scrollHeight - heightBefore.current
    })
  }
  return { scroller, content, atEnd, toEnd, onScroll, keepPlace }
}

function Earlier({ keepPlace }) {
  const { hasEarlier, loadingEarlier } = feed.value
  if (!hasEarlier) return null
  return html`
    <div class="earlier">
      <button class="button small" type="button" disabled=${loadingEarlier} onClick=${() => keepPlace(loadEarlier)}>
        ${loadingEarlier ? 'Loading…' : 'Show earlier messages'}
      </button>
    </div>
  `
}

const Loading = () => html`
  <div class="skeleton" aria-label="Loading the thread"><i></i><i></i><i></i></div>
`

const isMine = (conversation, project) => (entry) =>
  entry.conversation === conversation && (conversation !== undefined || entry.project === project)

function Items() {
  const { conversation, project } = route.value
  const { items } = thread.value
  const { phase, error } = feed.value
  const pending = outbox.value.filter(isMine(conversation, project))
  if (phase === 'failed') return html`<div class="failure" role="alert"><${Icon} name="failed" /><p>${error}</p></div>`
  if (phase === 'loading') return html`<${Loading} />`
  if (items.length === 0 && pending.length === 0) return html`<${Welcome} />`
  const last = items.findLastIndex(({ kind }) => kind === 'turn' || kind === 'reset')
  return html`
    ${items.map((item, index) => html`<${ItemView} key=${item.key} item=${item} isLast=${index === last} />`)}
    ${pending.map((entry) => html`<${PendingMessage} key=${entry.key} entry=${entry} />`)}
  `
}

export function ThreadView() {
  const { conversation, project } = route.value
  const { scroller, content, atEnd, toEnd, onScroll, keepPlace } = useScroll(`${project}/${conversation}`)
  const [seen, setSeen] = useState(0)
  const { lastSequence } = thread.value
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
          <${Icon} name="down" />${lastSequence > seen ? 'New messages' : 'Jump to the end'}
        </button>`
      }
    </div>
    ${
      feed.value.connection === 'reconnecting' &&
      html`<div class="reconnecting" role="status"><span class="spinner"></span>Connection lost. Reconnecting…</div>`
    }
  `
}
