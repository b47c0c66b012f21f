import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { closeOnEscape } from '../close-on-escape.js'
import { visibleText } from '../format.js'
import { closedReach, durations, reachOf, scopes } from '../grant-words.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { forget, kept, useKept } from '../kept.js'
import { isElsewhere, platformName } from '../place.js'
import { placeHere } from '../state.js'
import { say } from '../words.js'
import { useAnswer } from './use-answer.js'

const Patterns = ({ patterns }) => html`
  <span class="codes">${patterns.map((pattern) => html`<code key=${pattern}>${visibleText(pattern)}</code>`)}</span>
`

const labels = { exact: say.exactlyThis(), wide: say.alwaysSimilar() }
const closedLabel = say.alwaysClosedToday()

/** "Exactly this" isn't offered where the same call could do something else next time. */
const offeredBy = (grants) => Object.keys(labels).filter((name) => grants[name]?.length > 0)

/** What will be allowed from now on. There is no choice where nothing wider would be safe. */
function Reach({ id, asked, pattern, onChoose }) {
  const { grants, runs = [] } = asked
  const offered = offeredBy(grants)
  return html`
    <fieldset>
      <legend>${say.alwaysAllow()}</legend>
      ${offered.map((name) => {
        const isClosed = name === 'wide' && grants.closed
        const words = html`<span class="option-words"><span class="option-label">${isClosed ? closedLabel : labels[name]}</span>
          ${!isClosed && html`<${Patterns} patterns=${grants[name]} />`}
          <span class="option-description">${isClosed ? closedReach : reachOf(name, grants[name], runs)}</span></span>`
        if (offered.length === 1) return html`<div key=${name} class="option only">${words}</div>`
        return html`<label key=${name} class="option"><input type="radio" name=${`reach-${id}`} checked=${pattern === name}
          onChange=${() => onChoose(name)} />${words}</label>`
      })}
    </fieldset>
  `
}

function scopeLabels() {
  const place = placeHere.value
  const everywhere = isElsewhere(place) ? `${platformName(place.platform)}, ${place.tenant_id}` : say.wholeConsole()
  return {
    thread: say.thisThread(),
    channel: say.thisChannel({ name: place.project_id }),
    tenant: say.everywhereHere({ place: everywhere }),
  }
}

const Select = ({ label, value, options, onChoose }) => html`
  <label class="choice"><span>${label}</span>
    <select value=${value} onChange=${(event) => onChoose(event.target.value)}>
      ${options.map(([id, words]) => html`<option key=${id} value=${id}>${words}</option>`)}
    </select></label>
`

/** The form behind "Always…": for what, where and how long. */
function AlwaysForm({ id, asked, busy, onAnswer, onBack }) {
  const [pattern, setPattern] = useState(offeredBy(asked.grants)[0])
  const [scope, setScope] = useState('thread')
  const [duration, setDuration] = useState('day')
  const places = scopeLabels()
  const isClosed = pattern === 'wide' && asked.grants.closed
  const submit = (event) => {
    event.preventDefault()
    if (isClosed) return onAnswer({ decision: 'approve', always: { pattern, scope: 'thread' } })
    const { ms } = durations.find((one) => one.id === duration)
    onAnswer({ decision: 'approve', always: { pattern, scope, ...(ms && { for_ms: ms }) } })
  }
  return html`
    <form class="always" aria-label=${say.approveAlways()} onSubmit=${submit}>
      <${Reach} id=${id} asked=${asked} pattern=${pattern} onChoose=${setPattern} />
      ${
        !isClosed &&
        html`<div class="choices">
        <${Select} label=${say.where()} value=${scope} options=${scopes.map((one) => [one, places[one]])} onChoose=${setScope} />
        <${Select} label=${say.howLong()} value=${duration} options=${durations.map((one) => [one.id, one.label])} onChoose=${setDuration} />
      </div>`
      }
      ${
        asked.grants.untrusted &&
        html`<p class="caution"><${Icon} name="failed" /><span>${say.untrustedCaution()}</span></p>`
      }
      <div class="answer-row">
        <button class="button primary" type="submit" disabled=${busy}>${say.approveAlways()}</button>
        <button class="button plain" type="button" disabled=${busy} onClick=${onBack}>${say.back()}</button>
      </div>
    </form>
  `
}

const Words = ({ label, hint, value, busy, onInput }) => html`
  <label class="choice"><span>${label}</span>
    <textarea rows="1" dir="auto" maxlength="4000" placeholder=${hint} value=${value} disabled=${busy}
      onInput=${(event) => onInput(event.target.value)}
      onKeyDown=${(event) => {
        if (event.key !== 'Enter' || event.shiftKey) return
        event.preventDefault()
        event.target.form.requestSubmit()
      }}></textarea></label>
`

/** The form behind "Deny and say why…": a reason, and what to do instead. */
function DenyForm({ id, busy, onAnswer, onBack }) {
  const [given, setGiven] = useKept(id, { reason: '', instead: '' })
  const submit = (event) => {
    event.preventDefault()
    const trimmed = Object.entries(given).map(([name, words]) => [name, words.trim()])
    onAnswer({ decision: 'deny', ...Object.fromEntries(trimmed.filter(([, words]) => words !== '')) })
  }
  return html`
    <form class="deny" aria-label=${say.denyForm()} onSubmit=${submit}>
      <${Words} label=${say.whyNot()} hint=${say.botReads()} value=${given.reason} busy=${busy}
        onInput=${(reason) => setGiven({ ...given, reason })} />
      <${Words} label=${say.doInstead()} hint=${say.optional()} value=${given.instead} busy=${busy}
        onInput=${(instead) => setGiven({ ...given, instead })} />
      <div class="answer-row">
        <button class="button danger" type="submit" disabled=${busy}>${say.deny()}</button>
        <button class="button plain" type="button" disabled=${busy} onClick=${onBack}>${say.back()}</button>
      </div>
    </form>
  `
}

const forms = { always: AlwaysForm, deny: DenyForm }

const hasWords = ({ reason = '', instead = '' } = {}) => (reason + instead).trim() !== ''

/** The buttons of an approval; the forms for "Always…" and "Deny and say why…" open inside the card. */
export function ApprovalAnswer({ requestId, asked }) {
  const [open, setOpen] = useState(hasWords(kept.peek()[requestId]) && 'deny')
  const { busy, problem, setProblem, reply } = useAnswer(requestId)
  const whole = useRef(null)
  const show = (form) => {
    setOpen(form)
    setProblem('')
  }
  const onBack = () => {
    forget(requestId)
    show(undefined)
  }
  const shown = useRef(open)
  // Moves the focus into the form, and back to the button that opened it, before the next key is pressed.
  useLayoutEffect(() => {
    if (shown.current === open) return
    const selector = open ? 'form input:checked, form select, form textarea' : `[data-opens="${shown.current}"]`
    shown.current = open
    whole.current.querySelector(selector)?.focus()
  }, [open])
  const Form = forms[open]
  const opener = (form, words) => html`
    <button class="button plain" type="button" aria-expanded="false" data-opens=${form} disabled=${busy} onClick=${() => show(form)}>${words}</button>`
  return html`
    <footer class="approval-answer" ref=${whole} onKeyDown=${open && closeOnEscape(onBack)}>
      ${
        Form
          ? html`<${Form} id=${requestId} asked=${asked} busy=${busy} onAnswer=${reply} onBack=${onBack} />`
          : html`<div class="answer-row">
            <button class="button primary" type="button" disabled=${busy} onClick=${() => reply({ decision: 'approve' })}>${say.approveOnce()}</button>
            ${asked.grants && opener('always', say.always())}
            <button class="button" type="button" disabled=${busy} onClick=${() => reply({ decision: 'deny' })}>${say.deny()}</button>
            ${opener('deny', say.denyFormButton())}
          </div>`
      }
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </footer>
  `
}
