import { useState } from 'preact/hooks'
import { listAgents, readAgent } from '../api.js'
import { dollars, formatDuration, formatFull, formatRelative } from '../format.js'
import { html } from '../html.js'
import { hashOf } from '../route.js'
import { now } from '../state.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'

const percent = (share) => (share === null || share === undefined ? '–' : `${Math.round(share * 100)} %`)
const When = ({ at }) => html`<time datetime=${at} title=${formatFull(at)}>${formatRelative(at, now.value)}</time>`

function Row({ agent, chosen, choose }) {
  const { name, description, runs } = agent
  const marks = [...(agent.is_disabled ? [say.switchedOff()] : []), ...(agent.is_hidden ? [say.hidden()] : [])]
  return html`
    <tr>
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

/** What one agent has, and its latest runs. */
function Detail({ name }) {
  const { value: agent, problem } = useLoaded(() => readAgent(name), [name])
  if (problem) return html`<${Problem} text=${problem} />`
  if (agent?.name !== name) return html`<${Loading} />`
  return html`
    <section class="agent-detail" aria-label=${say.theAgent({ name })}>
      <h2>${name}</h2>
      ${agent.model && html`<p>${say.agentModel({ model: agent.model })}</p>`}
      <p>${say.agentSteps({ count: agent.steps })}</p>
      <p>${say.agentTools({ names: namesOf(agent.tools) })}</p>
      <p>${say.agentSkills({ names: namesOf(agent.skills) })}</p>
      ${agent.triggers.length > 0 && html`<p>${say.words({ triggers: agent.triggers.join(', ') })}</p>`}
      ${
        agent.latest.length === 0
          ? html`<p class="nothing">${say.hasntWorkedLately()}</p>`
          : html`<table class="trust-table" aria-label=${say.runsOf({ name })}>
              <thead><tr><th scope="col">${say.began()}</th><th scope="col">${say.outcome()}</th><th scope="col">${say.time()}</th>
                <th scope="col">${say.cost()}</th><th scope="col">${say.thread()}</th></tr></thead>
              <tbody>${agent.latest.map((run, place) => html`<${Run} key=${place} run=${run} />`)}</tbody>
            </table>`
      }
    </section>
  `
}

/** The agents, with what they did in the last days. */
export function Agents() {
  const [chosen, choose] = useState(undefined)
  const { value: found, problem } = useLoaded(listAgents, [])
  return html`
    <div class="scroller" tabindex="-1">
      <div class="trust">
        <p class="lead">${say.agentsHead({ days: found?.days ?? 30 })}</p>
        <${Problem} text=${problem} />
        ${
          found
            ? html`<table class="trust-table" aria-label=${say.agents()}>
                <thead><tr><th scope="col">${say.agent()}</th><th scope="col">${say.runs()}</th><th scope="col">${say.succeeded()}</th>
                  <th scope="col">${say.timeEach()}</th><th scope="col">${say.cost()}</th><th scope="col">${say.last()}</th></tr></thead>
                <tbody>${found.agents.map(
                  (agent) => html`<${Row} key=${agent.name} agent=${agent} chosen=${agent.name === chosen}
                    choose=${() => choose(agent.name === chosen ? undefined : agent.name)} />`,
                )}</tbody>
              </table>`
            : !problem && html`<${Loading} />`
        }
        ${chosen && html`<${Detail} name=${chosen} />`}
      </div>
    </div>
  `
}
