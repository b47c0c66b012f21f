import { fileName, visibleName } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { fileTurns } from '../state.js'
import { isOpen } from '../turn.js'
import { say } from '../words.js'
import { openWorkspace } from '../workspace.js'

const shownFiles = 4

const changeSigns = { added: '+', changed: '~', removed: '−' }
export const changeWords = { added: say.added(), changed: say.changed(), removed: say.removed() }

/** A file that a turn added, changed or removed; one that is gone cannot be opened. */
export const ChangedFile = ({ change: { path, change }, whole }) => {
  const name = visibleName(whole ? path : fileName(path))
  const content = html`<span class=${`change-sign ${change}`} aria-hidden="true">${changeSigns[change]}</span>
    <span class="unseen">${changeWords[change]} </span><span class="file-name">${name}</span>`
  return change === 'removed'
    ? html`<span class="changed-file gone" title=${visibleName(path)}>${content}</span>`
    : html`<button class="changed-file" type="button" title=${visibleName(path)} onClick=${() => openWorkspace(path)}>${content}</button>`
}

/** Leaves out files that the message or the answer already shows. */
function untold(changes, turn) {
  const posted = new Set(turn.parts.flatMap((part) => part.files ?? part.message?.files ?? []).map(({ path }) => path))
  return changes.filter(({ path, change }) => !posted.has(path) && !(change === 'added' && path.startsWith('uploads/')))
}

/** The other files that the turn changed, shown at its end. */
export function TurnFiles({ turn }) {
  const entry = fileTurns.value.find(({ turn_id }) => turn_id === turn.id)
  if (!entry || isOpen(turn)) return null
  const changes = untold(entry.changes, turn)
  if (changes.length === 0) return null
  const shown = changes.slice(0, shownFiles)
  const more = changes.length - shown.length + entry.total - entry.changes.length
  return html`
    <p class="turn-files">
      <${Icon} name="folder" /><span class="unseen">${say.files()}: </span>
      ${shown.map((change) => html`<${ChangedFile} key=${change.path} change=${change} />`)}
      ${
        more > 0 &&
        html`<button class="changed-file" type="button" onClick=${() => openWorkspace()}>${say.more({ count: more })}</button>`
      }
    </p>
  `
}
