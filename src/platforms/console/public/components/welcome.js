import { html } from '../html.js'
import { Logo } from '../icons.js'
import { send } from '../outbox.js'
import { isElsewhere } from '../place.js'
import { about, placeHere, route } from '../state.js'

/** What the practice model understands. */
const examples = [
  'Remind me in 10 seconds to stretch',
  'Ask me which colour I like: red, green or blue',
  'Write a haiku to outputs/haiku.md',
]

/** An empty thread, and how to begin one. */
export function Welcome() {
  const { project, conversation } = route.value
  if (isElsewhere(placeHere.value)) {
    return html`<div class="welcome"><${Logo} /><h2>Choose a thread</h2><p>What is said to the bot in this channel is listed beside.</p></div>`
  }
  return html`
    <div class="welcome">
      <${Logo} />
      <h2>Start a thread in ${project}</h2>
      <p>Write below, drop files anywhere. Each thread keeps its own files, plan and memory of what was said.</p>
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
