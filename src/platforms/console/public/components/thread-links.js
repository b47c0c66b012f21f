import { useEffect, useRef } from 'preact/hooks'
import { formatFull, formatRelative } from '../format.js'
import { classes, html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { moveInThreads } from '../keyboard.js'
import { isElsewhere, platformName } from '../place.js'
import { hashOf } from '../route.js'
import { now, route, thread, threadState } from '../state.js'
import { say } from '../words.js'
import { MenuButton } from './thread-menu.js'

const stateNames = { running: say.stateRunning(), waiting: say.stateWaiting(), idle: say.stateIdle() }

/** A session has more states than a list needs to show. */
function dotOf({ state, pending_requests: pending }) {
  if (pending > 0 || /waiting|suspended/.test(state)) return 'waiting'
  return /running|thinking|acting|observing|retrying/.test(state) ? 'running' : 'idle'
}

const Row = memo(({ conversation, project, current, dot, time, marksArchived }) => {
  const { id, title, created_at: createdAt, user, platform, tenant_id, project_id, excerpt } = conversation
  const where = isElsewhere({ platform }) ? `\n${platformName(platform)}, ${tenant_id}, ${project_id}` : ''
  const hint = `${title}\n${user?.name ?? ''}, ${formatFull(createdAt)}${where}`
  return html`
    <li class="thread-row">
      <a class=${classes('thread-link', current && 'current')} href=${hashOf(project, id)} title=${hint}
        aria-current=${current ? 'page' : undefined}>
        <span class=${`dot ${dot}`}></span>
        <span class="unseen">${stateNames[dot]}: </span>
        <span class="thread-title" dir="auto">${title || say.untitled()}${excerpt && html`<small>${excerpt}</small>`}</span>
        ${marksArchived && conversation.archived && html`<span class="platform">${say.archived()}</span>`}
        ${conversation.pinned && html`<${Icon} name="pin" /><span class="unseen">${say.isPinned()}</span>`}
        <time>${time}</time>
      </a>
      <${MenuButton} conversation=${conversation} />
    </li>
  `
})

/** `marksArchived`: in a list of both kinds. */
export function ThreadLink({ conversation, project, marksArchived = false }) {
  const current = conversation.id === route.value.conversation
  const isLive = current && thread.value.lastSequence > 0
  return html`<${Row} conversation=${conversation} project=${project} current=${current} marksArchived=${marksArchived}
    dot=${isLive ? threadState.value : dotOf(conversation)} time=${formatRelative(conversation.updated_at, now.value)} />`
}

const nearEndPx = 300

/** A list that loads more when somebody scrolls to its end, or while it ends within view. */
export function EndlessList({ class: name, label, more, children }) {
  const list = useRef(null)
  // Without enough to scroll, nobody could get to the rest.
  const fill = ({ scrollHeight, clientHeight }) => {
    if (clientHeight > 0 && scrollHeight <= clientHeight) more()
  }
  useEffect(() => fill(list.current), [children])
  useEffect(() => {
    const observer = new ResizeObserver(([{ target }]) => fill(target))
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [more])
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
    if (scrollHeight - scrollTop - clientHeight < nearEndPx) more()
  }
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    moveInThreads(step)
  }
  return html`<ul ref=${list} class=${name} aria-label=${label} onScroll=${onScroll} onKeyDown=${onKeyDown}>${children}</ul>`
}
