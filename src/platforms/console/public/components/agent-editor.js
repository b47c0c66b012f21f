import { useState } from 'preact/hooks'
import { addAgent, changeAgent } from '../api.js'
import { html } from '../html.js'
import { problemOf } from '../state.js'
import { say } from '../words.js'
import { Problem } from './loaded.js'

const slots = ['base', 'chat', 'reasoning', 'vision', 'code']

const listed = (text) =>
  text
    .split(/[,，\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const toolsIn = (text) => (text.trim() === '' ? null : text.trim().toLowerCase() === 'none' ? [] : listed(text))
const toolsAs = (tools) => (tools === null ? '' : tools.length === 0 ? 'none' : tools.join(', '))

/** The keys as agents.yaml has them. */
const keysOf = (form) => {
  const { name, description, prompt, model, tools, steps, triggers } = Object.fromEntries(new FormData(form))
  return {
    ...(name !== undefined && { name }),
    ...{ description, prompt, model: model || null, tools: toolsIn(tools) },
    ...{ steps: Number(steps), triggers: listed(triggers) },
  }
}

/** Only those that differ from what the form was opened with: somebody may have changed the others meanwhile. */
function changedIn(keys, { model, tools, triggers, ...same }) {
  const before = { ...same, model, tools: toolsIn(toolsAs(tools)), triggers: listed(triggers.join(', ')) }
  const isChanged = ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(Object.entries(keys).filter(isChanged))
}

const nobody = { description: '', prompt: '', model: null, tools: null, steps: 10, triggers: [] }

/** Changes an agent, or makes one. */
export function AgentEditor({ agent, tenant, onDone }) {
  const [problem, setProblem] = useState('')
  const { description, prompt, model, tools, steps, triggers } = agent ?? nobody
  const save = async (event) => {
    event.preventDefault()
    const keys = keysOf(event.target)
    try {
      if (agent === undefined) await addAgent(keys)
      else {
        const changed = changedIn(keys, agent)
        if (Object.keys(changed).length > 0) await changeAgent(agent.name, changed, tenant)
      }
      onDone(agent?.name ?? keys.name)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  return html`
    <form class="agent-editor" aria-label=${agent ? say.theAgent({ name: agent.name }) : say.newAgent()} onSubmit=${save}>
      ${!agent && html`<label>${say.nameOfAgent()}<input name="name" required pattern="[a-z][a-z0-9_\\-]*" maxlength="40" autocomplete="off" spellcheck=${false} /></label>`}
      <label>${say.agentPurpose()}<input name="description" required maxlength="300" defaultValue=${description} autocomplete="off" /></label>
      <label>${say.howItWorks()}<textarea name="prompt" required rows="6" maxlength="20000" defaultValue=${prompt}></textarea></label>
      <label>${say.itsTools()}<input name="tools" defaultValue=${toolsAs(tools)} autocomplete="off" spellcheck=${false} /></label>
      <label>${say.itsWords()}<input name="triggers" defaultValue=${triggers.join(', ')} autocomplete="off" /></label>
      <div class="pair">
        <label>${say.itsModel()}<select name="model">
          <option value="" selected=${model === null}>–</option>
          ${slots.map((slot) => html`<option key=${slot} value=${slot} selected=${slot === model}>${slot}</option>`)}
        </select></label>
        <label>${say.itsSteps()}<input name="steps" type="number" min="1" max="500" required defaultValue=${steps} /></label>
      </div>
      <${Problem} text=${problem} />
      <div class="buttons">
        <button class="button primary" type="submit">${say.save()}</button>
        <button class="button plain" type="button" onClick=${() => onDone()}>${say.cancel()}</button>
      </div>
    </form>
  `
}
