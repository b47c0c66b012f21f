import { initials } from '../format.js'
import { html } from '../html.js'
import { focusComposer } from '../keyboard.js'
import { retry } from '../outbox.js'
import { discard, edit } from '../outbox-entries.js'
import { say } from '../words.js'
import { PlainText } from './plain-text.js'

const wordsFor = (state) => (state === 'retrying' ? say.sendingAgain() : say.sending())

/** One that may have arrived keeps its key. An edit belongs to the message that it replaces. */
const mayEdit = ({ mayHaveArrived, replaces }) => !mayHaveArrived && replaces === undefined

function onEdit({ key }) {
  focusComposer()
  edit(key)
}

/** A message being sent, until the thread itself shows it. */
export const PendingMessage = ({ entry }) => html`
  <article class="message mine pending" aria-label=${`${entry.userId}, not sent yet`}>
    <span class="avatar" aria-hidden="true">${initials(entry.userId)}</span>
    <header><b>${entry.userId}</b></header>
    <div class="message-body">
      ${entry.text ? html`<${PlainText} text=${entry.text} />` : entry.replaces && html`<p class="quiet">${say.answerAgain()}</p>`}
      ${entry.files.length > 0 && html`<p class="quiet">${entry.files.map((file) => file.name).join(', ')}</p>`}
      ${
        entry.state === 'failed'
          ? html`<div class="not-sent" role="alert"><span>${say.notSent({ error: entry.error })}</span>
            <button class="button small" type="button" onClick=${() => retry(entry.key)}>${say.tryAgain()}</button>
            ${mayEdit(entry) && html`<button class="button small" type="button" onClick=${() => onEdit(entry)}>${say.edit()}</button>`}
            <button class="button small plain" type="button" onClick=${() => discard(entry.key)}>${say.discard()}</button></div>`
          : html`<p class="quiet">${wordsFor(entry.state)}</p>`
      }
    </div>
  </article>
`
