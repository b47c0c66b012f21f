import { useState } from 'preact/hooks'
import { listGrants, revokeGrant } from '../api.js'
import { closeOnEscape } from '../close-on-escape.js'
import { formatFull, formatLeft, visibleText } from '../format.js'
import { html } from '../html.js'
import { platformName } from '../place.js'
import { hashOf } from '../route.js'
import { me, now, problemOf } from '../state.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'

/** Focuses when the confirmation appears, not on every redraw. */
const focusOnce = (element) => element?.focus()

/** Revoking asks for confirmation, because everything the grant allowed will need approval again. */
function Revoke({ grant, onRevoked, onProblem }) {
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const revoke = async () => {
    setBusy(true)
    try {
      await revokeGrant(grant.id, me.peek())
      onProblem('')
    } catch (error) {
      onProblem(problemOf(error))
    }
    setBusy(false)
    setAsks(false)
    onRevoked()
  }
  if (!asks)
    return html`<button class="button small" type="button" onClick=${() => setAsks(true)}>${say.revoke()}</button>`
  return html`
    <span class="confirm" role="group" aria-label=${say.revokeGrant()} onKeyDown=${closeOnEscape(() => setAsks(false))}>
      <button class="button small danger" type="button" ref=${focusOnce} disabled=${busy} onClick=${revoke}>${say.yesRevoke()}</button>
      <button class="button small plain" type="button" disabled=${busy} onClick=${() => setAsks(false)}>${say.keep()}</button>
    </span>
  `
}

function Where({ grant }) {
  const { scope, platform, tenant_id, project_id, conversation_id } = grant
  const place = platform === 'console' ? say.consolePlace() : `${platformName(platform)}, ${tenant_id}`
  if (scope === 'tenant') return html`${say.everywhere()} <small>${place}</small>`
  if (scope === 'channel') return html`#${project_id} <small>${place}</small>`
  return html`<a href=${hashOf(project_id, conversation_id)}>${say.oneThread()}</a> <small>${say.inChannel({ project: project_id, place })}</small>`
}

function Until({ until }) {
  if (until === null) return say.revoked()
  const left = formatLeft(until, now.value)
  return html`<time datetime=${until} title=${formatFull(until)}>${left ? say.left({ left }) : say.over()}</time>`
}

function Ended({ grant: { ended_at: at, ended_by: by, until } }) {
  const hadTime = at !== null && (until === null || at < until)
  const how = by ? say.revokedBy({ name: by.name }) : hadTime ? say.unusedNow() : say.expired()
  return html`<time datetime=${at ?? ''} title=${at ? formatFull(at) : ''}>${how}</time>`
}

const Row = ({ grant, children }) => html`
  <tr>
    <td data-name=${say.allowed()}>${grant.closed_sandbox ? say.anythingClosed() : html`<span class="codes">${grant.patterns.map((one) => html`<code key=${one}>${visibleText(one)}</code>`)}</span>`}
      ${grant.only_this_call && html`<small>${say.oneCallOnly()}</small>`}
      ${grant.bound_to_content && html`<small>${say.whileFilesUnchanged()}</small>`}
      ${grant.untrusted && html`<small>${say.evenWithOutside()}</small>`}</td>
    <td data-name=${say.tool()}>${grant.closed_sandbox ? say.everyProgram() : visibleText(grant.tool_name)}</td>
    <td data-name=${say.where()}><${Where} grant=${grant} /></td>
    <td data-name=${say.givenBy()}><span title=${formatFull(grant.given_at)}>${grant.given_by.name}</span></td>
    <td data-name=${say.used()} class="number">${grant.uses}</td>
    ${children}
  </tr>
`

const Table = ({ label, last, children }) => html`
  <table class="trust-table" aria-label=${label}>
    <thead><tr><th scope="col">${say.allowed()}</th><th scope="col">${say.tool()}</th><th scope="col">${say.where()}</th><th scope="col">${say.givenBy()}</th>
      <th scope="col" class="number">${say.used()}</th>${last}</tr></thead>
    <tbody>${children}</tbody>
  </table>
`

function InForce({ grants, onRevoked, onProblem }) {
  if (grants.length === 0) {
    return html`<p class="nothing">${say.noGrants()}</p>`
  }
  const last = html`<th scope="col">${say.until()}</th><th scope="col"><span class="unseen">${say.revoke()}</span></th>`
  return html`
    <${Table} label=${say.currentGrants()} last=${last}>
      ${grants.map(
        (grant) => html`<${Row} key=${grant.id} grant=${grant}>
          <td data-name=${say.until()}><${Until} until=${grant.until} /></td>
          <td class="end"><${Revoke} grant=${grant} onRevoked=${onRevoked} onProblem=${onProblem} /></td><//>`,
      )}
    <//>
  `
}

const isInForce = ({ ended_at, until }, at) => ended_at === null && (until === null || Date.parse(until) > at)

/** Grants in force, and those that have ended. */
export function TrustGrants() {
  const { value: grants, problem, renew } = useLoaded(listGrants, [])
  const [refusal, setRefusal] = useState('')
  if (grants === undefined) return problem ? html`<${Problem} text=${problem} />` : html`<${Loading} />`
  const inForce = grants.filter((grant) => isInForce(grant, now.value))
  const ended = grants.filter((grant) => !isInForce(grant, now.value))
  return html`
    <p class="lead">${say.grantsIntro()}</p>
    <${Problem} text=${refusal || problem} />
    <${InForce} grants=${inForce} onRevoked=${renew} onProblem=${setRefusal} />
    ${
      ended.length > 0 &&
      html`<details class="ended"><summary>${say.endedGrantsCount({ count: ended.length })}</summary>
        <${Table} label=${say.endedGrants()} last=${html`<th scope="col">${say.ended()}</th>`}>
          ${ended.map((grant) => html`<${Row} key=${grant.id} grant=${grant}><td data-name=${say.ended()}><${Ended} grant=${grant} /></td><//>`)}
        <//></details>`
    }
  `
}
