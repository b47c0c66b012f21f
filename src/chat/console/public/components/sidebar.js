import { useRef, useState } from 'preact/hooks'
import { formatFull, formatRelative, initials } from '../format.js'
import { classes, html, memo } from '../html.js'
import { Icon, Logo } from '../icons.js'
import { moveInThreads } from '../keyboard.js'
import { addChannel, hashOf } from '../route.js'
import { openById } from '../sidebar.js'
import {
  about,
  conversations,
  me,
  now,
  projects,
  requests,
  route,
  setMe,
  setTheme,
  shortcutsOpen,
  theme,
  thread,
  threadState,
} from '../state.js'

const stateNames = { running: 'running', waiting: 'waiting for you', idle: 'idle' }

/** States of a session are finer than what a person needs to see in a list. */
function dotOf({ state, pending_requests: pending }) {
  if (pending > 0 || /waiting|suspended/.test(state)) return 'waiting'
  return /running|thinking|acting|observing|retrying/.test(state) ? 'running' : 'idle'
}

const ThreadLink = memo(({ conversation, project, current, dot, time }) => {
  const { id, title, created_at: createdAt, user } = conversation
  const hint = `${title}\n${user?.name ?? ''}, ${formatFull(createdAt)}`
  return html`
    <li>
      <a class=${classes('thread-link', current && 'current')} href=${hashOf(project, id)} title=${hint}
        aria-current=${current ? 'page' : undefined}>
        <span class=${`dot ${dot}`}></span>
        <span class="unseen">${stateNames[dot]}: </span>
        <span class="thread-title">${title || 'Untitled'}</span>
        <time>${time}</time>
      </a>
    </li>
  `
})

function Threads() {
  const { project, conversation } = route.value
  const { list, project: of } = conversations.value
  const shown = of === project ? list : []
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    moveInThreads(step)
  }
  const dot = (one) => (one.id === conversation && thread.value.lastSequence > 0 ? threadState.value : dotOf(one))
  return html`
    <ul class="threads" aria-label=${`Threads in ${project}`} onKeyDown=${onKeyDown}>
      <li>
        <a class=${classes('new-thread', !conversation && 'current')} href=${hashOf(project)}
          aria-current=${conversation ? undefined : 'page'}><${Icon} name="plus" />New thread</a>
      </li>
      ${shown.map(
        (one) => html`<${ThreadLink} key=${one.id} conversation=${one} project=${project}
          current=${one.id === conversation} dot=${dot(one)} time=${formatRelative(one.updated_at, now.value)} />`,
      )}
    </ul>
  `
}

function AddChannel() {
  const [open, setOpen] = useState(false)
  const field = useRef(null)
  const submit = (event) => {
    event.preventDefault()
    addChannel(field.current.value)
    setOpen(false)
  }
  if (!open) {
    return html`<button class="icon-button small" type="button" aria-label="Add a channel" title="Add a channel"
      onClick=${() => setOpen(true)}><${Icon} name="plus" /></button>`
  }
  const onKeyDown = (event) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    setOpen(false)
  }
  return html`
    <form class="add-channel" onSubmit=${submit}>
      <input ref=${(element) => {
        if (element && element !== field.current) element.focus()
        field.current = element
      }} type="text" aria-label="Name of the channel" placeholder="channel-name" maxlength="48"
        onKeyDown=${onKeyDown} onBlur=${() => setOpen(false)} />
    </form>
  `
}

function Waiting() {
  const elsewhere = requests.value.filter((one) => one.conversation_id !== route.value.conversation)
  if (elsewhere.length === 0) return null
  const threads = [...new Set(elsewhere.map((one) => one.conversation_id))]
  return html`
    <button class="waiting-elsewhere" type="button" onClick=${() => openById(threads[0])}>
      <span class="dot waiting"></span>
      ${threads.length === 1 ? 'A thread waits for you' : `${threads.length} threads wait for you`}
      <${Icon} name="chevron" />
    </button>
  `
}

const nextTheme = { system: 'light', light: 'dark', dark: 'system' }
const themeIcons = { system: 'system', light: 'sun', dark: 'moon' }

function Me() {
  const commit = (event) => {
    setMe(event.target.value)
    event.target.value = me.value
  }
  const onKeyDown = (event) => event.key === 'Enter' && event.target.blur()
  return html`
    <footer class="me">
      <span class="avatar" aria-hidden="true">${initials(me.value)}</span>
      <label>
        <span class="unseen">Your name</span>
        <input type="text" value=${me.value} maxlength="60" spellcheck=${false} autocomplete="off" title="Who you are here"
          onChange=${commit} onKeyDown=${onKeyDown} />
      </label>
      <button class="icon-button small" type="button" title=${`Colours: ${theme.value}`}
        aria-label=${`Colours: ${theme.value}. Change`} onClick=${() => setTheme(nextTheme[theme.value])}>
        <${Icon} name=${themeIcons[theme.value]} />
      </button>
      <button class="icon-button small" type="button" title="Keyboard shortcuts (?)" aria-label="Keyboard shortcuts"
        onClick=${() => {
          shortcutsOpen.value = true
        }}><${Icon} name="keyboard" /></button>
    </footer>
  `
}

export function Sidebar() {
  return html`
    <nav class="sidebar" aria-label="Channels and threads">
      <div class="brand"><${Logo} /><span>${about.value?.name ?? 'Bobbin'}</span>
        <span class="version">${about.value?.version}</span></div>
      <${Waiting} />
      <div class="channels-head"><h2>Channels</h2><${AddChannel} /></div>
      <ul class="channels">
        ${projects.value.map((project) => {
          const current = project === route.value.project
          return html`
            <li key=${project} class=${classes('channel', current && 'current')}>
              <a href=${hashOf(project)} aria-expanded=${current}><${Icon} name="hash" /><span>${project}</span></a>
              ${current && html`<${Threads} />`}
            </li>
          `
        })}
      </ul>
      <${Me} />
    </nav>
  `
}
