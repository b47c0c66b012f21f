import { html } from '../html.js'
import { hashOf } from '../route.js'
import { route } from '../state.js'
import { say } from '../words.js'

/** Replaces the composer in the thread of a subagent, which only its parent writes to. */
export const Subagent = ({ parent: { conversation_id: thread, name } }) => html`
  <div class="composer">
    <div class="composer-box elsewhere" role="note">
      <p>${say.subagentNote({ name })}</p>
      <a class="button small" href=${hashOf(route.value.project, thread)}>${say.openThread()}</a>
    </div>
  </div>
`
