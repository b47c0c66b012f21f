import { resume } from '../actions.js'
import { classes, html, memo } from '../html.js'
import { Icon, Logo } from '../icons.js'
import { say } from '../words.js'
import { FeedbackLine } from './feedback.js'
import { MessageView, Time } from './message.js'
import { TrustLine } from './trust-line.js'
import { TurnFiles } from './turn-files.js'
import { TurnFoot } from './turn-foot.js'
import { requestsOf, TurnParts } from './turn-parts.js'
import { Undone } from './undone.js'
import { Warning } from './warning.js'

function Ending({ turn, isLast }) {
  if (turn.state === 'stopped') {
    return html`
      <p class="quiet"><${Icon} name="stop" />${turn.stoppedBy ? say.stoppedBy({ name: turn.stoppedBy.name }) : say.stopped()}
        ${isLast && html`<button class="button small" type="button" onClick=${resume}>${say.resume()}</button>`}</p>
    `
  }
  if (turn.state === 'error' && turn.error) {
    const { message, remedy } = turn.error
    return html`
      <div class="failure" role="group" aria-label=${say.error()}>
        <${Icon} name="failed" />
        <div>
          <p>${message}</p>
          ${remedy && html`<p class="remedy">${remedy}</p>`}
          ${isLast && html`<button class="button small" type="button" onClick=${resume}>${say.resume()}</button>`}
        </div>
      </div>
    `
  }
  return null
}

const hasOpenText = (turn) => turn.parts.some((part) => part.kind === 'text' && part.open)
const hasRunningCall = (turn) => turn.parts.some((part) => part.kind === 'call' && part.status === 'running')

function Progress({ turn }) {
  if (turn.state === 'waiting') {
    return html`<p class="quiet"><span class="dot waiting"></span>${
      turn.queued ? say.waitingWithQueued() : say.answerAwaited()
    }</p>`
  }
  if (turn.state !== 'running' || hasOpenText(turn) || hasRunningCall(turn)) return null
  return html`<p class="thinking" role="status" aria-label=${say.bobbinThinking()}><i></i><i></i><i></i></p>`
}

/** Splits a turn where other people spoke, so that their messages appear under their own names. */
function stretches(parts) {
  const out = [{ key: 'begin', parts: [] }]
  for (const part of parts) {
    if (part.kind === 'said') out.push({ key: part.key, said: part }, { key: `after-${part.key}`, parts: [] })
    else out.at(-1).parts.push(part)
  }
  return out
}

const isQuiet = (turn) => turn.state === 'done' || (turn.state === 'running' && hasRunningCall(turn))

function TurnView({ turn, isLast, isUndone }) {
  const all = stretches(turn.parts)
  const shown = all.filter(
    ({ said, parts }) =>
      said || parts.length > 0 || all.length === 1 || (parts === all.at(-1)?.parts && !isQuiet(turn)),
  )
  const first = shown.find(({ said }) => !said)
  const requests = requestsOf(turn.parts)
  const plans = Object.values(turn.plans ?? {})
  return shown.map((stretch) => {
    const { key, said, parts } = stretch
    if (said)
      return html`<${MessageView} key=${key} message=${said.message} at=${said.at} number=${isUndone ? undefined : said.number} />`
    const isFirst = stretch === first
    const isEnd = stretch === all.at(-1)
    return html`
      <article key=${key} id=${isFirst ? `item-${turn.key}` : undefined} tabindex="-1" class=${classes('turn', turn.state)} aria-label=${say.bobbin()}>
        <span class="avatar bot" aria-hidden="true"><${Logo} /></span>
        <header><b>${say.bobbin()}</b>${isFirst && html`<${Time} at=${turn.startedAt} />`}</header>
        <div class="turn-body">
          <${TurnParts} parts=${parts} requests=${requests} turn=${turn} plans=${plans} />
          ${
            isEnd &&
            html`<${Progress} turn=${turn} /><${Ending} turn=${turn} isLast=${isLast} /><${TurnFiles} turn=${turn} />
            <${TurnFoot} turn=${isUndone ? { ...turn, opening: undefined } : turn} />`
          }
        </div>
      </article>
    `
  })
}

const Reset = ({ person, at }) => html`
  <p class="divider"><span>${say.clearedHistory({ name: person.name })}</span><${Time} at=${at} /></p>
`

/**
 * One entry of a thread: a message, a turn of the bot, or a line between them. `isLast`: no later turn, and no reset
 * after it.
 */
export const ItemView = memo(({ item, isLast, isUndone }) => {
  if (item.kind === 'turn') return html`<${TurnView} turn=${item} isLast=${isLast} isUndone=${isUndone} />`
  if (item.kind === 'message')
    return html`<${MessageView} message=${item.message} at=${item.at} number=${isUndone ? undefined : item.number} />`
  if (item.kind === 'undone') return html`<${Undone} item=${item} View=${ItemView} />`
  if (item.kind === 'reset') return html`<${Reset} person=${item.person} at=${item.at} />`
  if (item.kind === 'trust') return html`<${TrustLine} item=${item} />`
  if (item.kind === 'feedback')
    return html`<${FeedbackLine} value=${item.value} person=${item.person} reason=${item.reason} />`
  return html`<${Warning} code=${item.code} message=${item.message} />`
})
