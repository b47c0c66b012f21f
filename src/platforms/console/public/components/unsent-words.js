import { html } from '../html.js'
import { forget, kept } from '../kept.js'
import { oneEdit } from '../plan-words.js'
import { say } from '../words.js'

/** The words in what a card's form keeps, whichever form it is. */
const wordsOf = (given) =>
  [given]
    .flat()
    .flatMap(({ steps = [], other, words, reason, instead }) => [
      ...steps.map((one) => one.words),
      other,
      words,
      reason,
      instead,
    ])
    .filter((words) => words?.trim())

/** An answer may have arrived though its response was lost. What is said of a plan is stored as edits. */
function saidIn({ reason, instead, answer, also = [] } = {}) {
  const said = oneEdit([reason, instead, answer, ...also.map(({ text }) => text)].join('\n'))
  return (words) => said.includes(oneEdit(words))
}

/** What a person had written on a card when it was answered without it. */
export function UnsentWords({ requestId, outcome }) {
  const isSaid = saidIn(outcome)
  const words = wordsOf(kept.value[requestId] ?? {}).filter((one) => !isSaid(one))
  if (words.length === 0) return null
  return html`
    <div class="unsent-words">
      <p>${say.unsentWords()}</p>
      ${words.map((one, place) => html`<q key=${place} dir="auto">${one}</q>`)}
      <button class="button small plain" type="button" onClick=${() => forget(requestId)}>${say.discard()}</button>
    </div>
  `
}
