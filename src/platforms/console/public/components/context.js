import { useState } from 'preact/hooks'
import { readContext, readPrompt } from '../api.js'
import { visibleText } from '../format.js'
import { html } from '../html.js'
import { route, thread, threadState } from '../state.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'
import { Prose } from './prose.js'

const names = {
  system: say.instructions(),
  tools: say.tools(),
  user: say.people(),
  assistant: say.answers(),
  results: say.results(),
}

const count = (tokens) => tokens.toLocaleString()

const percent = (part, whole) => Math.round((part / Math.max(1, whole)) * 100)

/** The same share of the bar as of the budget. */
const Part = ({ name, tokens, budget }) => html`
  <i class=${`context-part ${name}`} style=${{ width: `${Math.min(100, (tokens / Math.max(1, budget)) * 100)}%` }}></i>
`

const Amount = ({ name, tokens }) => html`
  <li><i class=${`context-part ${name}`}></i><span>${names[name]}</span><span>${count(tokens)}</span></li>
`

function Compressed({ facts }) {
  const { from_message: number, summary } = facts
  if (number === 0) return null
  return html`
    <p class="nothing">${summary ? say.sentAsSummary({ number }) : say.leftOut({ number })}</p>
    ${summary && html`<details class="context-details"><summary>${say.showSummary()}</summary><${Prose} text=${summary} /></details>`}
  `
}

const Text = ({ text, label }) => html`
  <pre class="instructions" tabindex="0" role="group" aria-label=${label}>${visibleText(text)}</pre>
`

function Prompt({ renewOn }) {
  const { conversation } = route.value
  const { value, problem } = useLoaded(() => readPrompt(conversation), [conversation], { refreshed: false, renewOn })
  if (value === undefined) return problem ? html`<${Problem} text=${problem} />` : html`<${Loading} />`
  const { instructions, changes, tools } = value
  return html`
    <${Text} text=${instructions} label=${say.instructions()} />
    ${changes.map(
      ({ message: number, text }) => html`
        <p class="context-note" key=${`told ${number}`}>${say.toldLater({ number })}</p>
        <${Text} key=${number} text=${text} label=${say.toldLater({ number })} />
      `,
    )}
    <p class="context-note">${say.offeredTools({ count: tools.length })}</p>
    <ul class="codes">${tools.map((name) => html`<li key=${name}><code>${visibleText(name)}</code></li>`)}</ul>
  `
}

/** What is sent before the messages: loaded only when somebody opens it, because it's long. */
function Sent({ renewOn }) {
  const [open, setOpen] = useState(false)
  return html`
    <details class="context-details" onToggle=${({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>${say.showPrompt()}</summary>
      ${open && html`<${Prompt} renewOn=${renewOn} />`}
    </details>
  `
}

/** What the model is sent of this thread. */
export function Context() {
  const { conversation } = route.value
  const renewOn = [thread.value.items.length, threadState.value]
  const { value: facts, problem } = useLoaded(() => readContext(conversation), [conversation], {
    refreshed: false,
    renewOn,
  })
  if (problem) return html`<h2>${say.context()}</h2><${Problem} text=${problem} />`
  if (!facts) return null
  const { total, budget, parts } = facts
  const words = say.aboutTokens({ total: count(total), budget: count(budget), share: percent(total, budget) })
  const shown = Object.keys(names).filter((name) => parts[name] > 0)
  return html`
    <h2>${say.context()}</h2>
    <div class=${`context-bar ${facts.level}`} role="img" aria-label=${words}>
      ${shown.map((name) => html`<${Part} key=${name} name=${name} tokens=${parts[name]} budget=${budget} />`)}
    </div>
    <p class="context-total">${words}</p>
    <ul class="context-parts" aria-label=${say.tokens()}>
      ${shown.map((name) => html`<${Amount} key=${name} name=${name} tokens=${parts[name]} />`)}
    </ul>
    <${Compressed} facts=${facts} />
    <${Sent} renewOn=${renewOn} />
  `
}
