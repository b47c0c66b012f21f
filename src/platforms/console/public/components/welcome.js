import { html } from '../html.js'
import { Logo } from '../icons.js'
import { send } from '../outbox.js'
import { isElsewhere } from '../place.js'
import { about, placeHere, route } from '../state.js'
import { say } from '../words.js'

/** Messages that the practice model understands. */
const examples = [say.exampleAlarm(), say.exampleQuestion(), say.exampleFile()]

/** The page of a new thread. */
export function Welcome() {
  const { project, conversation } = route.value
  if (isElsewhere(placeHere.value)) {
    return html`<div class="welcome"><${Logo} /><h2>${say.chooseThread()}</h2><p>${say.chooseThreadHint()}</p></div>`
  }
  return html`
    <div class="welcome">
      <${Logo} />
      <h2>${say.startThread({ project })}</h2>
      <p>${say.startThreadHint()}</p>
      ${
        about.value?.model.practice &&
        html`
          <ul class="examples" aria-label=${say.examples()}>
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
