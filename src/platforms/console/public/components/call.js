import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatDuration, formatSize, pretty, summariseInput, visibleText } from '../format.js'
import { html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { hashOf } from '../route.js'
import { route } from '../state.js'
import { say } from '../words.js'
import { OpenFile } from './files.js'
import { Plan } from './plan.js'

const longest = 20_000
const stateWords = {
  running: say.callRunning(),
  done: say.callDone(),
  failed: say.callIsFailed(),
  denied: say.callDenied(),
  unknown: say.outcomeUnknown(),
  broken: say.notFinished(),
}
const stateIcons = { done: 'check', failed: 'failed', denied: 'denied', unknown: 'unknown', broken: 'stop' }

/** Machine-readable text, shortened until somebody asks for all of it. */
export function Machine({ value, label }) {
  const [whole, setWhole] = useState(false)
  const text = pretty(value)
  if (text === '') return null
  const cut = !whole && text.length > longest
  return html`
    <div class="machine">
      <h4>${label}</h4>
      <pre tabindex="0" role="group" aria-label=${label}>${visibleText(cut ? `${text.slice(0, longest)}…` : text)}</pre>
      ${cut && html`<button class="button small" type="button" onClick=${() => setWhole(true)}>${say.showAll({ count: formatSize(text.length) })}</button>`}
    </div>
  `
}

const todosOf = ({ toolName, input }) =>
  toolName === 'todo_write' && Array.isArray(input?.todos)
    ? input.todos.filter((todo) => typeof todo?.content === 'string')
    : undefined

function Body({ call }) {
  const todos = todosOf(call)
  return html`
    <div class="call-body">
      ${todos ? html`<${Plan} todos=${todos} />` : call.input !== null && html`<${Machine} value=${call.input} label=${say.arguments()} />`}
      <${OpenFile} path=${call.input?.path} />
      ${(!todos || call.status === 'failed') && html`<${Machine} value=${call.result} label=${say.result()} />`}
    </div>
  `
}

const nearEndPx = 24

/** A running call's output. It scrolls along unless somebody scrolled up to read. */
function Output({ text }) {
  const pane = useRef(null)
  const follows = useRef(true)
  useLayoutEffect(() => {
    if (follows.current) pane.current.scrollTop = pane.current.scrollHeight
  }, [text])
  const onScroll = ({ target }) => {
    follows.current = target.scrollHeight - target.scrollTop - target.clientHeight < nearEndPx
  }
  return html`<pre class="output" ref=${pane} tabindex="0" role="log" aria-live="off" aria-label=${say.output()} onScroll=${onScroll}>${visibleText(text)}</pre>`
}

/** One tool call: a line that unfolds, with its output while it runs. */
export const Call = memo(({ call, turnState }) => {
  const [open, setOpen] = useState(false)
  const isOver = turnState !== 'running' && turnState !== 'waiting'
  const state = call.status === 'running' && isOver ? 'broken' : call.status
  return html`
    <li class=${`call ${state}`}>
      <details open=${open} onToggle=${(event) => setOpen(event.target.open)}>
        <summary>
          <span class="call-state">${state === 'running' ? html`<span class="spinner"></span>` : html`<${Icon} name=${stateIcons[state]} />`}</span>
          <span class="call-name">${visibleText(call.title ?? call.toolName)}</span>
          <span class="call-summary">${call.title === undefined && visibleText(summariseInput(call.input))}</span>
          <span class="unseen">, ${stateWords[state]}</span>
          <span class="call-end">${state === 'running' || state === 'done' ? '' : stateWords[state]} ${formatDuration(call.durationMs)}</span>
          <${Icon} name="chevron" />
        </summary>
        ${open && html`<${Body} call=${call} />`}
      </details>
      ${call.child && html`<a class="call-child" href=${hashOf(route.value.project, call.child.id)}>${say.openChild({ name: call.child.name })}</a>`}
      ${state === 'running' && call.output && html`<${Output} text=${call.output} />`}
    </li>
  `
})
