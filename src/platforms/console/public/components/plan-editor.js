import { classes, html } from '../html.js'
import { Icon } from '../icons.js'
import { useKept } from '../kept.js'
import { draftOf, editsOf, moved, pointsOf } from '../plan-words.js'
import { say } from '../words.js'
import { useAnswer } from './use-answer.js'

function Step({ one, note, place, count, busy, onChange, onMove }) {
  const { step, what, words, isDropped } = one
  const label = say.step({ number: step })
  return html`
    <li class=${classes('plan-step', isDropped && 'dropped')}>
      <p><span class="plan-number">${step}.</span> ${what} ${note && html`<small class="todo-note">${note}</small>`}</p>
      <div class="plan-tools">
        ${
          !isDropped &&
          html`<input type="text" dir="auto" aria-label=${say.noteOnStep({ label })} placeholder=${say.noteHint()} value=${words} disabled=${busy}
            onInput=${({ target }) => onChange({ ...one, words: target.value })} />`
        }
        <button class="icon-button small" type="button" aria-label=${say.moveUp({ label })} disabled=${busy || place === 0}
          onClick=${() => onMove(place, -1)}><${Icon} name="up" /></button>
        <button class="icon-button small" type="button" aria-label=${say.moveDown({ label })} disabled=${busy || place === count - 1}
          onClick=${() => onMove(place, 1)}><${Icon} name="down" /></button>
        <button class="button small plain" type="button" disabled=${busy} aria-label=${isDropped ? say.keepStep({ label }) : say.dropStep({ label })}
          onClick=${() => onChange({ ...one, isDropped: !isDropped })}>${isDropped ? say.keep() : say.drop()}</button>
      </div>
    </li>
  `
}

/** A plan that people are asked about: they drop, reorder and add to its steps, and let it run. */
export function PlanEditor({ requestId, plan }) {
  const [given, setGiven] = useKept(requestId, { steps: draftOf(plan), words: '' })
  const { steps: draft, words } = given
  const setDraft = (steps) => setGiven({ ...given, steps })
  const { busy, problem, reply } = useAnswer(requestId)
  const notes = new Map(pointsOf(plan).map(({ note }, place) => [plan.steps[place].step, note]))
  const edits = editsOf(draft, words)
  const send = (last) => reply({ answer: [...edits, last].join('; ') })
  const isEmpty = draft.every(({ isDropped }) => isDropped)
  return html`
    <div class="plan-editor">
      <ol>
        ${draft.map(
          (
            one,
            place,
          ) => html`<${Step} key=${one.step} one=${one} note=${notes.get(one.step)} place=${place} count=${draft.length} busy=${busy}
            onChange=${(next) => setDraft(draft.with(place, next))} onMove=${(from, by) => setDraft(moved(draft, from, by))} />`,
        )}
      </ol>
      <input class="plan-words" type="text" dir="auto" aria-label=${say.noteOnPlan()} placeholder=${say.noteOnPlanHint()} value=${words}
        disabled=${busy} onInput=${({ target }) => setGiven({ ...given, words: target.value })} />
      <div class="answer-row">
        <button class="button primary" type="button" disabled=${busy || isEmpty} onClick=${() => send('run')}>${edits.length > 0 ? say.runChanged() : say.runIt()}</button>
        <button class="button" type="button" disabled=${busy || isEmpty} onClick=${() => send('one by one')}>${say.runStepwise()}</button>
        <button class="button plain" type="button" disabled=${busy} onClick=${() => send('cancel')}>${say.dontRun()}</button>
      </div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </div>
  `
}
