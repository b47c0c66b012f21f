import { useState } from 'preact/hooks'
import { answer } from '../actions.js'
import { toolTitle } from '../format.js'
import { classes, html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { Time } from './message.js'
import { ToolInput } from './tool-input.js'

const risks = new Set(['low', 'medium', 'high', 'critical'])

function Outcome({ outcome, answeredAt }) {
  const { decision, reason, person, by } = outcome
  const approved = decision === 'approve'
  const who = person ? `by ${person.name}` : by === 'stop' ? 'because the turn was stopped' : ''
  return html`
    <footer class=${classes('outcome', approved ? 'approved' : 'denied')}>
      <${Icon} name=${approved ? 'check' : 'denied'} />
      <span><b>${approved ? 'Approved' : 'Denied'}</b> ${who} ${reason && html`<q>${reason}</q>`}</span>
      <${Time} at=${answeredAt} />
    </footer>
  `
}

/** One function for all drawings, so that it is called when the field appears and not at every key. */
const focusOnce = (element) => element?.focus()

function Buttons({ requestId }) {
  const [reason, setReason] = useState(undefined)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const decide = async (decision) => {
    setBusy(true)
    setProblem('')
    const words = reason?.trim()
    const failed = await answer(requestId, { decision, ...(decision === 'deny' && words ? { reason: words } : {}) })
    setProblem(failed ?? '')
    setBusy(false)
  }
  const onKeyDown = (event) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    setReason(undefined)
  }
  const deny = (event) => {
    event.preventDefault()
    decide('deny')
  }
  return html`
    <footer class="answer-row">
      ${
        reason === undefined
          ? html`
            <button class="button primary" type="button" disabled=${busy} onClick=${() => decide('approve')}>Approve</button>
            <button class="button" type="button" disabled=${busy} onClick=${() => decide('deny')}>Deny</button>
            <button class="button plain" type="button" disabled=${busy} onClick=${() => setReason('')}>Deny with a reason…</button>`
          : html`
            <form class="reason" onSubmit=${deny}>
              <input type="text" aria-label="Why not?" placeholder="Why not? The bot reads this." maxlength="2000" value=${reason}
                ref=${focusOnce} disabled=${busy} onKeyDown=${onKeyDown}
                onInput=${(event) => setReason(event.target.value)} />
              <button class="button danger" type="submit" disabled=${busy}>Deny</button>
              <button class="button plain" type="button" disabled=${busy} onClick=${() => setReason(undefined)}>Back</button>
            </form>`
      }
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </footer>
  `
}

/** What is to be approved, and what became of it. */
export const Approval = memo(({ request, isOver }) => {
  const { asked, outcome, requestId, answeredAt } = request
  const isPending = !outcome && !isOver
  const risk = risks.has(asked?.risk) ? asked.risk : undefined
  return html`
    <section class=${classes('card approval', isPending && 'pending', outcome && 'settled')} aria-label="Approval">
      ${
        asked &&
        html`
          <header>
            <${Icon} name="shield" />
            <h3>${isPending ? 'May I use' : 'Asked for'} <code>${toolTitle(asked.tool_name)}</code>${isPending ? '?' : ''}</h3>
            ${risk && html`<span class=${`risk ${risk}`}>${risk} risk</span>`}
          </header>
          ${asked.reason && html`<p class="why">${asked.reason}</p>`}
          ${
            isPending
              ? html`<${ToolInput} input=${asked.tool_input} />`
              : html`<details class="asked"><summary>What was asked</summary><${ToolInput} input=${asked.tool_input} /></details>`
          }`
      }
      ${outcome && html`<${Outcome} outcome=${outcome} answeredAt=${answeredAt} />`}
      ${isPending && html`<${Buttons} requestId=${requestId} />`}
      ${!outcome && isOver && html`<footer class="outcome"><span>Not answered; the turn is over.</span></footer>`}
    </section>
  `
})
