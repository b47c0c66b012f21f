import { listTools } from '../api.js'
import { visibleText } from '../format.js'
import { html } from '../html.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'

function Approval({ approval }) {
  if (approval === null) return say.noApproval()
  const { action, risk, reason } = approval
  if (action === 'allow') return say.approvalOf({ action })
  return html`${say.approvalOf({ action })} (${say.risk({ risk })})<small>${visibleText(reason)}</small>`
}

const Row = ({ tool: { name, description, tier, approval, timeout_ms: ms, repeatable, unavailable } }) => html`
  <tr>
    <td data-name=${say.tool()}><b>${visibleText(name)}</b><small>${visibleText(description)}</small>
      ${unavailable && html`<small>${say.unavailableBecause({ why: visibleText(unavailable) })}</small>`}</td>
    <td data-name=${say.availability()}>${say.availableWhen({ tier })}</td>
    <td data-name=${say.approval()}><${Approval} approval=${approval} /></td>
    <td data-name=${say.timeLimit()}>${ms === null ? say.noTimeLimit() : say.inSeconds({ count: (ms / 1000).toLocaleString() })}</td>
    <td data-name=${say.afterCrash()}>${say.runsAgain({ again: String(repeatable) })}</td>
  </tr>
`

/** The bot's tools, and what is set for each. They are changed in the configuration. */
export function Tools() {
  const { value: tools, problem } = useLoaded(listTools, [], { refreshed: false })
  if (tools === undefined) return problem ? html`<${Problem} text=${problem} />` : html`<${Loading} />`
  return html`
    <p class="lead">${say.toolsIntro()}</p>
    <table class="trust-table" aria-label=${say.tools()}>
      <thead><tr><th scope="col">${say.tool()}</th><th scope="col">${say.availability()}</th><th scope="col">${say.approval()}</th>
        <th scope="col">${say.timeLimit()}</th><th scope="col">${say.afterCrash()}</th></tr></thead>
      <tbody>${tools.map((tool) => html`<${Row} key=${tool.name} tool=${tool} />`)}</tbody>
    </table>
  `
}
