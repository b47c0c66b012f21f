import { useEffect, useState } from 'preact/hooks'
import { readAudit, verifyAudit } from '../api.js'
import { formatFull, formatRelative, pretty, visibleText } from '../format.js'
import { html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { hashOf } from '../route.js'
import { now, problemOf } from '../state.js'
import { auditKinds, whatOf, whoOf } from '../trust-words.js'
import { say } from '../words.js'
import { Loading, Problem, useLoaded } from './loaded.js'

/** Entries per page, so that a long log draws as fast as a short one. */
const pageSize = 50

/** The check reads the whole log, so it runs once and then only on demand. */
function Chain() {
  const [state, setState] = useState({ verdict: undefined, problem: '', busy: false })
  const check = async () => {
    setState({ verdict: undefined, problem: '', busy: true })
    try {
      setState({ verdict: await verifyAudit(), problem: '', busy: false })
    } catch (error) {
      setState({ verdict: undefined, problem: problemOf(error), busy: false })
    }
  }
  useEffect(() => void check(), [])
  const { verdict, problem, busy } = state
  if (problem) return html`<${Problem} text=${problem} />`
  if (!verdict) return html`<p class="chain" role="status">${say.checkingLog()}</p>`
  const again = html`<button class="button small plain" type="button" disabled=${busy} onClick=${check}>${say.checkAgain()}</button>`
  if (!verdict.ok) {
    return html`<div class="failure" role="alert"><${Icon} name="failed" /><div><p><b>${say.chainBrokenEntry({ seq: verdict.seq })}</b> ${verdict.why}</p>${again}</div></div>`
  }
  const { entries, head } = verdict
  return html`<p class="chain whole" role="status"><${Icon} name="check" /><span title=${say.headHash({ head })}>${say.chainIntact({ count: entries })}</span>${again}</p>`
}

/** A complete entry as it is in the log. */
function Whole({ entry }) {
  const { seq, data, previous, hash } = entry
  return html`
    <pre tabindex="0" role="group" aria-label=${say.entry({ seq })}>${visibleText(pretty(data))}</pre>
    <p class="hash">${say.entryHash({ seq, hash: hash.slice(0, 16), previous: previous.slice(0, 16) })}
      ${entry.conversation_id && html` <a href=${hashOf('general', entry.conversation_id)}>${say.openThreadOfEntry()}</a>`}</p>
  `
}

const Row = memo(({ entry, time }) => {
  const [open, setOpen] = useState(false)
  const [fact = entry.kind, ...more] = whatOf(entry)
  return html`
    <tr>
      <td data-name=${say.time()}><time datetime=${entry.at} title=${formatFull(entry.at)}>${time}</time></td>
      <td data-name=${say.kind()}><span class=${`audit-kind kind-${entry.kind}`}>${entry.kind}</span></td>
      <td data-name=${say.who()}>${whoOf(entry)}</td>
      <td data-name=${say.what()}>
        <details open=${open} onToggle=${(event) => setOpen(event.target.open)}>
          <summary><span>${fact}${more.length > 0 && html` <small>${more.join(' · ')}</small>`}</span><${Icon} name="chevron" /></summary>
          ${open && html`<${Whole} entry=${entry} />`}
        </details>
      </td>
    </tr>
  `
})

function Entries({ entries, at }) {
  if (entries.length === 0) return html`<p class="nothing">${say.noEntries()}</p>`
  return html`
    <table class="trust-table audit" aria-label=${say.log()}>
      <thead><tr><th scope="col">${say.time()}</th><th scope="col">${say.kind()}</th><th scope="col">${say.who()}</th><th scope="col">${say.what()}</th></tr></thead>
      <tbody>${entries.toReversed().map((entry) => html`<${Row} key=${entry.seq} entry=${entry} time=${formatRelative(entry.at, at)} />`)}</tbody>
    </table>
  `
}

/** The audit log page by page, newest first. */
export function TrustAudit() {
  const [kind, setKind] = useState('')
  /** Where each newer page began, so that "Newer" can go back; empty on the newest page. */
  const [trail, setTrail] = useState([])
  const before = trail.at(-1)
  const { value: page, problem } = useLoaded(() => readAudit({ before, kind, limit: pageSize }), [kind, before])
  const choose = (event) => {
    setKind(event.target.value)
    setTrail([])
  }
  return html`
    <p class="lead">${say.auditIntro()}</p>
    <${Chain} />
    <div class="audit-bar">
      <label class="choice"><span>${say.show()}</span><select value=${kind} onChange=${choose}>
        <option value="">${say.everything()}</option>
        ${Object.entries(auditKinds).map(([name, words]) => html`<option key=${name} value=${name}>${words}</option>`)}
      </select></label>
      <span class="pager">
        <button class="button small" type="button" disabled=${trail.length === 0} onClick=${() => setTrail(trail.slice(0, -1))}>${say.newer()}</button>
        <button class="button small" type="button" disabled=${!page?.has_more}
          onClick=${() => setTrail([...trail, page.entries[0].seq])}>${say.older()}</button>
      </span>
    </div>
    <${Problem} text=${problem} />
    ${page ? html`<${Entries} entries=${page.entries} at=${now.value} />` : !problem && html`<${Loading} />`}
  `
}
