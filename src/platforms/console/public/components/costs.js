import { useState } from 'preact/hooks'
import { readUsage } from '../api.js'
import { dollars } from '../format.js'
import { html } from '../html.js'
import { platformName } from '../place.js'
import { hashOf } from '../route.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'

const keys = {
  day: say.day(),
  tenant: say.tenant(),
  channel: say.channel(),
  thread: say.thread(),
  person: say.person(),
  model: say.model(),
  tool: say.tool(),
}

/** What a line is about, in words. */
const nameOf = {
  day: ({ day }) => day,
  tenant: ({ tenant_id, platform }) => `${tenant_id} (${platformName(platform)})`,
  channel: ({ project_id, platform }) => `${project_id} (${platformName(platform)})`,
  thread: ({ conversation_id, title }) =>
    title === undefined
      ? say.deletedThread()
      : html`<a href=${hashOf('general', conversation_id)}>${title || say.untitled()}</a>`,
  person: ({ user_name, platform }) => `${user_name} (${platformName(platform)})`,
  model: ({ model, slot }) => (slot === 'base' ? model : `${model} (${slot})`),
  tool: ({ tool_name }) => (tool_name === 'answer' ? say.answersThemselves() : tool_name),
}

const count = (tokens) => tokens.toLocaleString()

function Row({ by, line }) {
  return html`
    <tr>
      <td data-name=${keys[by]}>${nameOf[by](line)}</td>
      <td data-name=${say.cost()}>${dollars(line.usd)}</td>
      <td data-name=${say.calls()}>${count(line.calls)}</td>
      <td data-name=${say.tokensIn()}>${count(line.tokens_in)}</td>
      <td data-name=${say.fromCache()}>${count(line.tokens_cached)}</td>
      <td data-name=${say.tokensOut()}>${count(line.tokens_out)}</td>
    </tr>
  `
}

function Table({ by, found: { usage, has_more: hasMore } }) {
  if (usage.length === 0) {
    return html`<p class="nothing">${say.noCosts()}</p>`
  }
  return html`
    <table class="trust-table" aria-label=${say.costs()}>
      <thead><tr>
        <th scope="col">${keys[by]}</th><th scope="col">${say.cost()}</th><th scope="col">${say.calls()}</th>
        <th scope="col">${say.tokensIn()}</th><th scope="col">${say.fromCache()}</th><th scope="col">${say.tokensOut()}</th>
      </tr></thead>
      <tbody>${usage.map((line, place) => html`<${Row} key=${place} by=${by} line=${line} />`)}</tbody>
    </table>
    ${hasMore && html`<p class="nothing">${say.costsCut()}</p>`}
  `
}

/** The first days of these periods, in UTC. */
const since = {
  '': () => '',
  today: (day) => day,
  month: (day) => `${day.slice(0, 8)}01`,
}

/** What model calls have cost. */
export function Costs() {
  const [by, setBy] = useState('day')
  const [period, setPeriod] = useState('month')
  const today = new Date().toISOString().slice(0, 10)
  // Adding all of it up takes the bot a while, so it isn't done again and again.
  const read = () => readUsage(by, since[period](today))
  const { value: shown, problem } = useLoaded(read, [by, period], { refreshed: false })
  return html`
    <div class="scroller" tabindex="-1">
      <div class="trust">
        <p class="lead">${say.costsIntro()}</p>
        <div class="audit-bar">
          <label class="choice"><span>${say.by()}</span><select value=${by} onChange=${(event) => setBy(event.target.value)}>
            ${Object.entries(keys).map(([name, words]) => html`<option key=${name} value=${name}>${words.toLowerCase()}</option>`)}
          </select></label>
          <label class="choice"><span>${say.from()}</span><select value=${period} onChange=${(event) => setPeriod(event.target.value)}>
            <option value="today">${say.today()}</option><option value="month">${say.thisMonth()}</option><option value="">${say.sinceBeginning()}</option>
          </select></label>
          ${shown && html`<p role="status">${say.total({ usd: dollars(shown.total_usd) })}</p>`}
        </div>
        <${Problem} text=${problem} />
        ${shown?.unpriced.length > 0 && html`<p class="nothing">${say.unpriced({ models: shown.unpriced.join(', ') })}</p>`}
        ${shown ? html`<${Table} by=${by} found=${shown} />` : !problem && html`<${Loading} />`}
      </div>
    </div>
  `
}
