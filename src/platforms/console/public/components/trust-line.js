import { toolTitle } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'

/** What the bot may do in this thread has changed. */
export const TrustLine = ({ item: { change, tools, person } }) => {
  const names = tools.map(toolTitle).join(', ')
  const words = {
    loaded: `${names}: now available in this thread`,
    skill: `${tools.length === 1 ? 'Skill' : 'Skills'} loaded in this thread: ${tools.join(', ')}`,
    revoked: `${person?.name ?? 'Somebody'} revoked a grant for ${names}`,
  }[change]
  return html`<p class="quiet"><${Icon} name="shield" />${words}</p>`
}
