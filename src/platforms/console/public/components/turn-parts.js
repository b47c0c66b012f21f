import { useState } from 'preact/hooks'
import { visibleText } from '../format.js'
import { classes, html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { say } from '../words.js'
import { Approval } from './approval.js'
import { Call } from './call.js'
import { FeedbackMarks } from './feedback.js'
import { FileChips } from './files.js'
import { Prose } from './prose.js'
import { Question } from './question.js'
import { TrustLine } from './trust-line.js'
import { Warning } from './warning.js'

const shownCalls = 6
const foldFrom = 10

/** Groups neighbouring calls, which share one drawn thread. Those of a plan's steps are one line of it. */
function grouped(parts, plans) {
  const groups = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.kind !== 'call') groups.push(part)
    else {
      const plan = plans.find(({ calls }) => calls.includes(part.callId))
      if (last?.kind === 'calls' && plan === last.plan) last.calls.push(part)
      else groups.push({ kind: 'calls', key: `calls-${part.key}`, plan, calls: [part] })
    }
  }
  return groups
}

/** A call whose card already says everything: a question or a denial. */
function isTold(call, requests) {
  const request = requests.get(call.callId)
  if (!request) return false
  return call.status === 'denied' || (request.requestKind !== 'approval' && request.requestKind !== 'loop')
}

const Calls = ({ calls, turnState }) => html`
  <ul class="calls" aria-label=${say.toolCalls()}>
    ${calls.map((call) => html`<${Call} key=${call.key} call=${call} turnState=${turnState} />`)}
  </ul>
`

/** The steps of a plan, which the list beside the thread shows one by one. */
const Steps = ({ plan, calls, turnState }) => html`
  <details class=${classes('plan-steps', stepsState(plan))}>
    <summary>
      <span class="call-state">${stepsMark(stepsState(plan), turnState)}</span>
      <span class="call-name">${visibleText(plan.title)}</span>
      <span class="call-end">${say.stepsDone({ done: plan.done, count: plan.count })}</span>
      <${Icon} name="chevron" />
    </summary>
    <${Calls} calls=${calls} turnState=${turnState} />
  </details>
`

const stepsState = ({ status }) =>
  status === 'completed' || status === 'fallback' ? 'done' : status === 'failed' || status === 'timeout' ? 'failed' : ''

const isUnderWay = (turnState) => turnState === 'running' || turnState === 'waiting'

/** While one step waits for people, others may run. */
function stepsMark(state, turnState) {
  if (state !== '') return html`<${Icon} name=${state === 'done' ? 'check' : 'failed'} />`
  return isUnderWay(turnState) ? html`<span class="spinner"></span>` : html`<${Icon} name="stop" />`
}

const Thought = memo(
  ({ text }) =>
    html`<details class="thought"><summary>${say.thought()}</summary><div class="plain-text">${text}</div></details>`,
)

const views = {
  text: ({ part }) => html`<${Prose} text=${part.text} live=${part.open} />`,
  answer: ({ part, turn }) =>
    html`<div class="answer"><${Prose} text=${part.text} /><${FileChips} files=${part.files} turn=${turn} />
      <${FeedbackMarks} feedback=${part.feedback} /></div>`,
  thought: ({ part }) => html`<${Thought} text=${part.text} />`,
  calls: ({ part, turnState }) =>
    part.plan === undefined
      ? html`<${Calls} calls=${part.calls} turnState=${turnState} />`
      : html`<${Steps} plan=${part.plan} calls=${part.calls} turnState=${turnState} />`,
  warning: ({ part }) => html`<${Warning} code=${part.code} message=${part.message} />`,
  imported: ({ part: { messages } }) =>
    html`<p class="quiet"><${Icon} name="history" />${messages === 1 ? say.importedOne() : `${messages} earlier messages were read`}</p>`,
  compressed: ({ part: { strategy, before, after } }) =>
    html`<p class="quiet"><${Icon} name="history" />${say.olderMessages({ strategy, before, after })}</p>`,
  trust: ({ part }) => html`<${TrustLine} item=${part} />`,
  request: ({ part, turnState }) => {
    const Card = part.requestKind === 'approval' ? Approval : Question
    return html`<${Card} request=${part} isOver=${!isUnderWay(turnState)} />`
  },
}

export const requestsOf = (parts) =>
  new Map(parts.filter((part) => part.kind === 'request').map((part) => [part.callId, part]))

const isWork = ({ kind }) => kind === 'call' || kind === 'text' || kind === 'thought'

/** Splits parts into stretches of work, which are calls and what is said between them, and single other parts. */
function stretchesOf(parts) {
  const stretches = []
  for (const part of parts) {
    const last = stretches.at(-1)
    if (isWork(part) && last !== undefined && isWork(last[0])) last.push(part)
    else stretches.push([part])
  }
  return stretches
}

/** Of many calls the last are shown, with what was said between them; a button shows the others. */
function Stretch({ parts, requests, turn, plans }) {
  const [all, setAll] = useState(false)
  const told = parts.filter((part) => part.kind !== 'call' || !isTold(part, requests))
  const isStep = ({ callId }) => plans.some(({ calls }) => calls.includes(callId))
  const places = told.flatMap((part, place) => (part.kind === 'call' && !isStep(part) ? [place] : []))
  const isFolded = !all && places.length >= foldFrom
  const shown = isFolded ? told.slice(places.at(-shownCalls)) : told
  return html`
    ${
      isFolded &&
      html`<button class="button small plain earlier-calls" type="button" onClick=${() => setAll(true)}>
        ${say.earlierCalls({ count: places.length - shownCalls })}</button>`
    }
    ${grouped(shown, plans).map((part) => {
      const View = views[part.kind]
      return html`<${View} key=${part.key} part=${part} turn=${turn} turnState=${turn.state} />`
    })}
  `
}

/** All calls of a plan stand with its first one, so that it is one line, whatever comes between them. */
function gathered(parts, plans) {
  if (plans.length === 0) return parts
  const planOf = (part) => (part.kind === 'call' ? plans.find(({ calls }) => calls.includes(part.callId)) : undefined)
  const owners = parts.map(planOf)
  const placeOf = (place) => (owners[place] === undefined ? place : owners.indexOf(owners[place]))
  return [...parts.keys()].toSorted((one, other) => placeOf(one) - placeOf(other)).map((place) => parts[place])
}

export const TurnParts = ({ parts, requests, turn, plans }) =>
  stretchesOf(gathered(parts, plans)).map(
    (stretch) =>
      html`<${Stretch} key=${stretch[0].key} parts=${stretch} requests=${requests} turn=${turn} plans=${plans} />`,
  )
