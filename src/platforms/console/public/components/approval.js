import { cardId } from '../card-focus.js'
import { formatFull, formatLeft, visibleText } from '../format.js'
import { choiceWords } from '../grant-words.js'
import { classes, html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { now, requests } from '../state.js'
import { say } from '../words.js'
import { ApprovalAnswer } from './approval-answer.js'
import { Time } from './message.js'
import { Content, ToolInput } from './tool-input.js'
import { UnsentWords } from './unsent-words.js'

const risks = new Set(['low', 'medium', 'high', 'critical'])

function verdictOf({ decision, person, by }) {
  const name = person?.name
  if (decision === 'approve') return name ? say.approvedBy({ name }) : say.approved()
  if (name) return say.deniedBy({ name })
  return by === 'stop' ? say.withdrawn() : by === 'deadline' ? say.deniedByDeadline() : say.denied()
}

function Outcome({ outcome, answeredAt, asked }) {
  const { decision, reason, instead, always } = outcome
  const approved = decision === 'approve'
  return html`
    <footer class=${classes('outcome', approved ? 'approved' : 'denied')}>
      <${Icon} name=${approved ? 'check' : 'denied'} />
      <span>
        <b>${verdictOf(outcome)}</b>${always && `, ${choiceWords(always, asked?.grants?.closed)}`} ${reason && html`<q dir="auto">${reason}</q>`}
        ${instead && html`<span class="instead">${say.instead()} <q dir="auto">${instead}</q></span>`}
      </span>
      <${Time} at=${answeredAt} />
    </footer>
  `
}

const Codes = ({ texts }) => html`
  <ul class="codes">${texts.map((text) => html`<li key=${text}><code>${visibleText(text)}</code></li>`)}</ul>
`

const Fact = ({ name, kind, children }) => html`<div class=${kind}><dt>${name}</dt><dd>${children}</dd></div>`

/** What a call would reach and run, and what can't be known about it. */
function Consequences({ asked }) {
  const { unclear = [], hosts = [], writes = [], runs = [], scripts = [] } = asked
  return html`
    ${
      unclear.length > 0 &&
      html`<${Fact} name=${say.unclear()} kind="unclear">
        <ul>${unclear.map((text) => html`<li key=${text}>${visibleText(text)}</li>`)}</ul><//>`
    }
    ${hosts.length > 0 && html`<${Fact} name=${say.mayReach()}><${Codes} texts=${hosts} /><//>`}
    ${writes.length > 0 && html`<${Fact} name=${say.writesTo()}><${Codes} texts=${writes} /><//>`}
    ${runs.length > 0 && html`<${Fact} name=${say.runsAsShown()}><${Codes} texts=${runs} /><//>`}
    ${scripts.map(({ path, text }) => html`<${Fact} key=${path} name=${visibleText(path)}><${Content} text=${text} label=${path} /><//>`)}
  `
}

function Votes({ votes, needed }) {
  if (needed < 2) return null
  const names = votes.map(({ person }) => person.name).join(', ')
  const count = votes.length
  const words = names ? say.approvalsBy({ count, needed, names }) : say.approvals({ count, needed })
  return html`<${Fact} name=${say.soFar()}>${words}<//>`
}

/** People asked later may have another deadline, which only the list of pending requests knows. */
function Deadline({ requestId, asked }) {
  const at = requests.value.find(({ id }) => id === requestId)?.deadline_at ?? asked.deadline_at
  if (!at) return null
  const left = formatLeft(at, now.value)
  return html`<${Fact} name=${say.deadline()}><span class="due" title=${formatFull(at)}>${
    left ? say.deniedIn({ left }) : say.timeUp()
  }</span><//>`
}

function Deciding({ requestId, asked }) {
  const { who, needed = 1, votes = [], moved } = asked
  return html`
    ${who && html`<${Fact} name=${moved === 'others' ? say.newDeciders() : say.deciders()}>${visibleText(who)}<//>`}
    <${Votes} votes=${votes} needed=${needed} />
    <${Deadline} requestId=${requestId} asked=${asked} />
  `
}

/** An approval request and its outcome. */
export const Approval = memo(({ request, isOver }) => {
  const { asked, outcome, requestId, answeredAt } = request
  const isPending = !outcome && !isOver
  const risk = risks.has(asked?.risk) ? asked.risk : undefined
  const what = asked && html`<${ToolInput} input=${asked.tool_input} />`
  return html`
    <section id=${cardId(requestId)} tabindex="-1" class=${classes('card approval', isPending && 'pending', outcome && 'settled')} aria-label=${say.approval()}>
      ${
        asked &&
        html`
          <header>
            <${Icon} name="shield" />
            <h2>${isPending ? say.approvalHead() : say.askedFor()} <code>${visibleText(asked.tool_name)}</code>${isPending ? '?' : ''}</h2>
            ${risk && html`<span class=${`risk ${risk}`}>${say.risk({ risk })}</span>`}
          </header>
          ${asked.reason && html`<p class="why">${visibleText(asked.reason)}</p>`}
          ${
            isPending
              ? html`${what}<dl class="facts"><${Consequences} asked=${asked} /><${Deciding} requestId=${requestId} asked=${asked} /></dl>`
              : html`<details class="asked"><summary>${say.requestDetails()}</summary>${what}<dl class="facts"><${Consequences} asked=${asked} /></dl></details>`
          }`
      }
      ${outcome && html`<${Outcome} asked=${asked} outcome=${outcome} answeredAt=${answeredAt} />`}
      ${isPending && html`<${ApprovalAnswer} requestId=${requestId} asked=${asked ?? {}} />`}
      ${!outcome && isOver && html`<footer class="outcome"><span>${say.approvalOver()}</span></footer>`}
      ${!isPending && html`<${UnsentWords} requestId=${requestId} outcome=${outcome} />`}
    </section>
  `
})
