import { html } from '../html.js'
import { forget, kept } from '../kept.js'
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

/** What a person had written on a card when it was answered without it. */
export function UnsentWords({ requestId }) {
  const words = wordsOf(kept.value[requestId] ?? {})
  if (words.length === 0) return null
  return html`
    <div class="unsent-words">
      <p>${say.unsentWords()}</p>
      ${words.map((one, place) => html`<q key=${place} dir="auto">${one}</q>`)}
      <button class="button small plain" type="button" onClick=${() => forget(requestId)}>${say.discard()}</button>
    </div>
  `
}
