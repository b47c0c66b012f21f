import { visibleText } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { say } from '../words.js'

/** What the bot may do in this thread has changed. */
export const TrustLine = ({ item: { change, tools, person } }) => {
  const names = tools.map(visibleText).join(', ')
  const words = {
    loaded: () => say.nowAvailable({ count: tools.length, tools: names }),
    skill: () => say.skillsLoaded({ count: tools.length, skills: tools.join(', ') }),
    revoked: () => say.revokedGrant({ name: person?.name ?? say.somebody(), tools: names }),
  }[change]
  return html`<p class="quiet"><${Icon} name="shield" />${words()}</p>`
}
