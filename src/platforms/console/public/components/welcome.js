import { html } from '../html.js'
import { Logo } from '../icons.js'
import { send } from '../outbox.js'
import { isElsewhere } from '../place.js'
import { about, placeHere, route } from '../state.js'

/** Messages that the practice model understands. */
const examples = [
  'Remind me in 10 seconds to stretch',
  'Ask me which colour I like: red, green or blue',
  'Write a haiku to outputs/haiku.md',
]

/** The page of a new thread. */
export function Welcome() {
  const { project, conversation } = route.value
  if (isElsewhere(placeHere.value)) {
    return html`<div class="welcome"><${Logo} /><h2>Choose a thread</h2><p>The sidebar lists this channel’s threads.</p></div>`
  }
  return html`
    <div class="welcome">
      <${Logo} />
      <h2>Start a thread in ${project}</h2>
      <p>Write a message below, or drop files anywhere. Each thread has its own files, plan and history.</p>
      ${
        about.value?.model.practice &&
        html`
          <ul class="examples" aria-label="Examples">
            ${examples.map(
              (text) => html`
                <li key=${text}><button type="button" onClick=${() => send({ project, conversation, text, files: [] })}>${text}</button></li>
              `,
            )}
          </ul>`
      }
    </div>
  `
}
