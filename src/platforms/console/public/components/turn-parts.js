import { useState } from 'preact/hooks'
import { html, memo } from '../html.js'
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

/** Groups neighbouring calls, which share one drawn thread. */
function grouped(parts) {
  const groups = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.kind === 'call' && last?.kind === 'calls') last.calls.push(part)
    else groups.push(part.kind === 'call' ? { kind: 'calls', key: `calls-${part.key}`, calls: [part] } : part)
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

const Thought = memo(
  ({ text }) =>
    html`<details class="thought"><summary>${say.thought()}</summary><div class="plain-text">${text}</div></details>`,
)

const views = {
  text: ({ part }) => html`<${Prose} text=${part.text} live=${part.open} />`,
  answer: ({ part }) =>
    html`<div class="answer"><${Prose} text=${part.text} /><${FileChips} files=${part.files} />
      <${FeedbackMarks} feedback=${part.feedback} /></div>`,
  thought: ({ part }) => html`<${Thought} text=${part.text} />`,
  calls: ({ part, turnState }) => html`<${Calls} calls=${part.calls} turnState=${turnState} />`,
  warning: ({ part }) => html`<${Warning} code=${part.code} message=${part.message} />`,
  imported: ({ part: { messages } }) =>
    html`<p class="quiet"><${Icon} name="history" />${messages === 1 ? say.oneEarlierMessageRead() : `${messages} earlier messages were read`}</p>`,
  compressed: ({ part: { strategy, before, after } }) =>
    html`<p class="quiet"><${Icon} name="history" />Older messages were ${strategy === 'cut' ? 'left out' : 'summarised'}: ${before.toLocaleString('en')} to ${after.toLocaleString('en')} tokens</p>`,
  trust: ({ part }) => html`<${TrustLine} item=${part} />`,
  request: ({ part, turnState }) => {
    const Card = part.requestKind === 'approval' ? Approval : Question
    const isOver = turnState !== 'running' && turnState !== 'waiting'
    return html`<${Card} request=${part} isOver=${isOver} />`
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
function Stretch({ parts, requests, turnState }) {
  const [all, setAll] = useState(false)
  const told = parts.filter((part) => part.kind !== 'call' || !isTold(part, requests))
  const places = told.flatMap(({ kind }, place) => (kind === 'call' ? [place] : []))
  const isFolded = !all && places.length >= foldFrom
  const shown = isFolded ? told.slice(places.at(-shownCalls)) : told
  return html`
    ${
      isFolded &&
      html`<button class="button small plain earlier-calls" type="button" onClick=${() => setAll(true)}>
        ${places.length - shownCalls} earlier calls</button>`
    }
    ${grouped(shown).map((part) => {
      const View = views[part.kind]
      return html`<${View} key=${part.key} part=${part} turnState=${turnState} />`
    })}
  `
}

export const TurnParts = ({ parts, requests, turnState }) =>
  stretchesOf(parts).map(
    (stretch) =>
      html`<${Stretch} key=${stretch[0].key} parts=${stretch} requests=${requests} turnState=${turnState} />`,
  )
