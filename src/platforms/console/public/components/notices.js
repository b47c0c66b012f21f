import { html } from '../html.js'
import { Icon } from '../icons.js'
import { dismissNotice, hidePractice, notices, practiceHidden } from '../state.js'
import { say } from '../words.js'

export const Notices = () => html`
  <div class="notices" role="status">
    ${notices.value.map(
      ({ number, text, kind }) => html`
        <div key=${number} class=${`notice ${kind}`}>
          <span>${text}</span>
          <button class="icon-button small" type="button" aria-label=${say.dismiss()} onClick=${() => dismissNotice(number)}>
            <${Icon} name="close" />
          </button>
        </div>
      `,
    )}
  </div>
`

export function PracticeBanner() {
  if (practiceHidden.value) return null
  return html`
    <div class="practice" role="note">
      <p><strong>${say.practiceModel()}</strong> ${say.practiceAnswers()} <code>MODEL_BASE_API_KEY</code> <code>MODEL_BASE_BASE_URL</code> <code>MODEL_BASE_ID</code></p>
      <button class="icon-button small" type="button" aria-label=${say.hideNote()} onClick=${hidePractice}>
        <${Icon} name="close" />
      </button>
    </div>
  `
}
