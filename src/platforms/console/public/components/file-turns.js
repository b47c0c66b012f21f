import { formatFull, formatTime } from '../format.js'
import { html } from '../html.js'
import { fileList, fileTurns, today } from '../state.js'
import { say } from '../words.js'
import { goToTurn } from '../workspace.js'
import { ChangedFile } from './turn-files.js'

/** "ana, 14:02", or with the day: who started a turn and when, as a link to that message. */
export const TurnLink = ({ turn: { turn_id, person, started_at } }) => html`
  <button class="turn-link" type="button" title=${say.showMessage({ time: formatFull(started_at) })} onClick=${() => goToTurn(turn_id)}>
    ${person.name}, <time datetime=${started_at}>${formatTime(started_at, today.value)}</time></button>
`

/** What each turn changed, newest first. */
export function FileTurns() {
  if (fileTurns.value.length === 0) return html`<p class="nothing">${say.nothingChanged()}</p>`
  return html`
    <ol class="file-turns">
      ${fileTurns.value.map(
        (turn) => html`
          <li key=${turn.turn_id}>
            <h3><${TurnLink} turn=${turn} /></h3>
            <ul>${turn.changes.map((change) => html`<li key=${change.path}><${ChangedFile} change=${change} whole=${true} /></li>`)}</ul>
            ${turn.total > turn.changes.length && html`<p class="nothing">${say.more({ count: turn.total - turn.changes.length })}</p>`}
          </li>
        `,
      )}
    </ol>
    ${fileList.value.hasMoreTurns && html`<p class="nothing">${say.turnsCut()}</p>`}
  `
}
