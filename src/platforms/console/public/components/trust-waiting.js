import { formatFull, formatLeft, formatRelative, shorten, summariseInput, visibleText } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { hashOf } from '../route.js'
import { moreRequests, now, requests } from '../state.js'
import { say } from '../words.js'

const titleOf = ({ kind, tool_name, question }) =>
  kind === 'approval' ? say.approvalTitle({ tool_name: visibleText(tool_name) }) : shorten(visibleText(question), 300)

function Facts({ request }) {
  const { who, needed, votes, to, deadline_at: deadline } = request
  const people = who ?? to?.map(({ name }) => name).join(', ')
  const left = deadline && formatLeft(deadline, now.value)
  return html`
    <p class="waiting-facts">
      ${people && html`<span>${say.waitsFor({ people: visibleText(people) })}</span>`}
      ${needed > 1 && html`<span>${say.approvals({ count: votes.length, needed })}</span>`}
      ${left && html`<span class="due" title=${formatFull(deadline)}>${say.left({ left })}</span>`}
    </p>
  `
}

// The channel in the address is corrected when the thread opens.
const Row = ({ request }) => html`
  <li class="request-row">
    <a href=${hashOf('general', request.conversation_id)}>
      <${Icon} name=${request.kind === 'approval' ? 'shield' : 'question'} />
      <span class="waiting-words"><b>${titleOf(request)}</b>
        ${request.kind === 'approval' && html`<code>${visibleText(summariseInput(request.tool_input))}</code>`}</span>
      ${request.risk && html`<span class=${`risk ${request.risk}`}>${say.risk({ risk: request.risk })}</span>`}
      <time datetime=${request.asked_at} title=${formatFull(request.asked_at)}>${formatRelative(request.asked_at, now.value)}</time>
    </a>
    <${Facts} request=${request} />
  </li>
`

/** Everything that waits for a person in any thread, longest wait first. */
export function TrustWaiting() {
  const all = requests.value
  if (all.length === 0) return html`<p class="nothing">${say.nothingWaiting()}</p>`
  return html`
    <p class="lead">${say.waitingIntro()}</p>
    <ul class="waiting-list">${all.map((request) => html`<${Row} key=${request.id} request=${request} />`)}</ul>
    ${moreRequests.value && html`<p class="nothing">${say.waitingCut({ most: all.length })}</p>`}
  `
}
