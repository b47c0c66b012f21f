import { stop } from '../actions.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { platformName } from '../place.js'
import { conversationHere, placeHere, thread, threadState } from '../state.js'
import { say } from '../words.js'
import { PlanStrip } from './plan.js'

/** Only links that a browser opens as a page. */
const isAddress = (link) => /^https?:\/\//.test(link ?? '')

/** Replaces the composer in threads of other platforms, where the console can't write. */
export function Elsewhere() {
  const name = platformName(placeHere.value.platform)
  const conversation = conversationHere.value
  return html`
    <div class="composer">
      <${PlanStrip} todos=${thread.value.todos} />
      <div class="composer-box elsewhere" role="note">
        <p>${conversation ? say.threadElsewhere({ name }) : say.channelElsewhere({ name })}</p>
        ${
          isAddress(conversation?.link) &&
          html`<a class="button small" href=${conversation.link} target="_blank" rel="noopener noreferrer">
            <${Icon} name="away" />${say.openIn({ name })}</a>`
        }
        ${
          threadState.value !== 'idle' &&
          html`<button class="icon-button stop" type="button" aria-label=${say.stopTurn()} title=${say.stopHint()}
            onClick=${stop}><${Icon} name="stop" /></button>`
        }
      </div>
    </div>
  `
}
