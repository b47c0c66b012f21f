import { useRef, useState } from 'preact/hooks'
import { listAgents, readAgent, switchAgent } from '../api.js'
import { dollars, formatDuration, formatFull, formatRelative } from '../format.js'
import { html } from '../html.js'
import { hashOf } from '../route.js'
import { now, problemOf } from '../state.js'
import { say } from '../words.js'
import { AgentEditor } from './agent-editor.js'
import { Routing } from './agent-routing.js'
import { Loading, Problem, useLoaded } from './loaded.js'

const percent = (share) => (share === null || share === undefined ? '–' : `${Math.round(share * 100)} %`)
const When = ({ at }) => html`<time datetime=${at} title=${formatFull(at)}>${formatRelative(at, now.value)}</time>`

function Row({ agent, chosen, choose }) {
  const { name, description, runs } = agent
  const marks = [...(agent.is_disabled ? [say.switchedOff()] : []), ...(agent.is_hidden ? [say.hidden()] : [])]
  return html`
    <tr class=${runs === 0 ? 'unused' : undefined}>
      <td data-name=${say.agent()}><div>
        <button class="button small" type="button" aria-expanded=${chosen} onClick=${choose}>${name}</button>
        ${marks.length > 0 && html` <small>${marks.join(', ')}</small>`}
        <small class="agent-about">${description}</small>
      </div></td>
      <td data-name=${say.runs()}>${runs}${agent.open > 0 && html` <small>${say.openRuns({ count: agent.open })}</small>`}</td>
      <td data-name=${say.succeeded()}>${percent(agent.success_rate)}</td>
      <td data-name=${say.timeEach()}>${runs > agent.open ? formatDuration(agent.mean_ms) : '–'}</td>
      <td data-name=${say.cost()}>${runs > 0 ? dollars(agent.usd) : '–'}</td>
      <td data-name=${say.last()}>${runs > 0 ? html`<${When} at=${agent.last_at} />` : '–'}</td>
    </tr>
  `
}

const outcomes = {
  succeeded: say.outcomeSucceeded(),
  failed: say.outcomeFailed(),
  stopped: say.outcomeStopped(),
  open: say.outcomeOpen(),
}

const Run = ({ run }) => html`
  <tr>
    <td data-name=${say.began()}><${When} at=${run.started_at} /></td>
    <td data-name=${say.outcome()}>${outcomes[run.outcome]}</td>
    <td data-name=${say.time()}>${run.worked_ms === undefined ? '–' : formatDuration(run.worked_ms)}</td>
    <td data-name=${say.cost()}>${dollars(run.usd)}</td>
    <td data-name=${say.thread()}><a href=${hashOf('general', run.conversation_id)}>${say.open()}</a></td>
  </tr>
`

const namesOf = (names) => (names === null ? say.allOfThem() : names.length === 0 ? say.noneOfThem() : names.join(', '))

/** Switching it, and opening its editor. */
function Actions({ agent, tenant, edit, onChanged }) {
  const [problem, setProblem] = useState('')
  const act = (how) => async () => {
    try {
      await switchAgent(agent.name, how, tenant)
      setProblem('')
    } catch (error) {
      setProblem(problemOf(error))
    }
    onChanged()
  }
  const isOff = agent.is_disabled
  const isRemoved = tenant === '' && agent.from === 'added'
  return html`
    <div class="buttons">
      <button class="button small" type="button" onClick=${edit}>${say.edit()}</button>
      <button class="button small" type="button" onClick=${act(isOff ? 'enable' : 'disable')}>${isOff ? say.turnOn() : say.turnOff()}</button>
      ${agent.changed_here && !isRemoved && html`<button class="button small" type="button" onClick=${act('back')}>${tenant === '' ? say.backToFile() : say.undoHere()}</button>`}
      ${isRemoved && html`<button class="button small danger" type="button" onClick=${act('back')}>${say.remove()}</button>`}
    </div>
    <${Problem} text=${problem} />
  `
}

const Runs = ({ name, runs }) => html`
  <table class="trust-table" aria-label=${say.runsOf({ name })}>
    <thead><tr><th scope="col">${say.began()}</th><th scope="col">${say.outcome()}</th><th scope="col">${say.time()}</th>
      <th scope="col">${say.cost()}</th><th scope="col">${say.thread()}</th></tr></thead>
    <tbody>${runs.map((run, place) => html`<${Run} key=${place} run=${run} />`)}</tbody>
  </table>
`

/** What one agent has, and its latest runs. */
function Detail({ name, tenant, onChanged }) {
  const { value: agent, problem, renew } = useLoaded(() => readAgent(name, tenant), [name, tenant])
  const [isEdited, setEdited] = useState(false)
  const changed = () => {
    setEdited(false)
    renew()
    onChanged()
  }
  if (agent === undefined) return problem ? html`<${Problem} text=${problem} />` : html`<${Loading} />`
  // A failed refresh must not throw away what is being written.
  if (isEdited)
    return html`<${Problem} text=${problem} /><${AgentEditor} agent=${agent} tenant=${tenant} onDone=${changed} />`
  return html`
    <${Problem} text=${problem} />
    <section class="agent-detail" aria-label=${say.theAgent({ name })}>
      ${agent.model && html`<p>${say.agentModel({ model: agent.model })}</p>`}
      <p>${say.agentSteps({ count: agent.steps })}</p>
      <p>${say.agentTools({ names: namesOf(agent.tools) })}</p>
      <p>${say.agentSkills({ names: namesOf(agent.skills) })}</p>
      ${agent.triggers.length > 0 && html`<p>${say.words({ triggers: agent.triggers.join(', ') })}</p>`}
      <${Actions} agent=${agent} tenant=${tenant} edit=${() => setEdited(true)} onChanged=${changed} />
      ${
        agent.latest.length === 0
          ? html`<p class="nothing">${say.noRuns()}</p>`
          : html`<${Runs} name=${name} runs=${agent.latest} />`
      }
    </section>
  `
}

/** Where changes apply, if there are several Slack workspaces or Discord servers. */
function Tenants({ tenants, tenant, choose }) {
  if (tenants.length < 2) return ''
  return html`
    <div class="audit-bar"><label class="choice"><span>${say.changesApply()}</span><select value=${tenant} onChange=${(event) => choose(event.target.value)}>
      <option value="">${say.everywhere()}</option>
      ${tenants.map(({ platform, tenant_id: id }) => html`<option key=${id} value=${id}>${say.inTenant({ platform, id })}</option>`)}
    </select></label></div>
  `
}

/** The agents, with what they did in the last days. */
export function Agents() {
  const [chosen, choose] = useState(undefined)
  const [isAdding, setAdding] = useState(false)
  const [tenant, setTenant] = useState('')
  const { value: found, problem, renew } = useLoaded(() => listAgents(tenant), [tenant])
  /** They are the same for each tenant, and the choice keeps its place while another one's agents are loaded. */
  const tenants = useRef([])
  if (found) tenants.current = found.tenants
  const added = (name) => {
    setAdding(false)
    if (name === undefined) return
    choose(name)
    renew()
  }
  const rowOf = (agent) => {
    const isChosen = agent.name === chosen
    const row = html`<${Row} key=${agent.name} agent=${agent} chosen=${isChosen} choose=${() => choose(isChosen ? undefined : agent.name)} />`
    if (!isChosen) return row
    return [
      row,
      html`<tr key="chosen" class="opened"><td colspan="6"><${Detail} key=${`${tenant}/${agent.name}`} name=${agent.name} tenant=${tenant} onChanged=${renew} /></td></tr>`,
    ]
  }
  return html`
    <div class="scroller" tabindex="-1">
      <div class="trust">
        <p class="lead">${say.agentsHead({ days: found?.days ?? 30 })}</p>
        <${Problem} text=${problem} />
        <${Tenants} tenants=${tenants.current} tenant=${tenant} choose=${setTenant} />
        ${
          found
            ? html`<table class="trust-table" aria-label=${say.agents()}>
                <thead><tr><th scope="col">${say.agent()}</th><th scope="col">${say.runs()}</th><th scope="col">${say.succeeded()}</th>
                  <th scope="col">${say.timeEach()}</th><th scope="col">${say.cost()}</th><th scope="col">${say.last()}</th></tr></thead>
                <tbody>${found.agents.map(rowOf)}</tbody>
              </table>
              ${tenant === '' && !isAdding && html`<div class="buttons"><button class="button" type="button" onClick=${() => setAdding(true)}>${say.newAgent()}</button></div>`}`
            : !problem && html`<${Loading} />`
        }
        ${isAdding && html`<${AgentEditor} tenant="" onDone=${added} />`}
        ${found && html`<${Routing} key=${tenant} routing=${found.routing} tenant=${tenant} />`}
      </div>
    </div>
  `
}
