import { unsaid } from '../card-words.js'
import { html } from '../html.js'
import { forget, kept } from '../kept.js'
import { say } from '../words.js'

/** What a person had written on a card when it was answered without it. An answer may have arrived all the same. */
export function UnsentWords({ requestId, outcome }) {
  const words = unsaid(kept.value[requestId], outcome)
  if (words.length === 0) return null
  return html`
    <div class="unsent-words">
      <p>${say.unsentWords()}</p>
      ${words.map((one, place) => html`<q key=${place} dir="auto">${one}</q>`)}
      <button class="button small plain" type="button" onClick=${() => forget(requestId)}>${say.discard()}</button>
    </div>
  `
}
