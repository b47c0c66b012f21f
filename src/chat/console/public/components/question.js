import { useState } from 'preact/hooks'
import { answer } from '../actions.js'
import { formatFull, formatLeft } from '../format.js'
import { classes, html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { now } from '../state.js'
import { Time } from './message.js'
import { Prose } from './prose.js'
import { OptionButtons, OptionChecks, OptionSelect } from './question-options.js'

const mostButtons = 6

function Deadline({ asked }) {
  if (!asked.deadline_at) return null
  const left = formatLeft(asked.deadline_at, now.value)
  const chosen = asked.options.find((option) => option.id === asked.default)?.label ?? asked.default
  const then = chosen ? `then “${chosen}” is taken` : 'then the bot goes on without'
  return html`<p class="deadline" title=${formatFull(asked.deadline_at)}>${left ? `${left} left, ${then}` : 'The time is up'}</p>`
}

function outcomeText({ by, declined, answer: text, person, option_ids: ids }, asked) {
  const labels = (ids ?? []).map((id) => asked?.options.find((option) => option.id === id)?.label).filter(Boolean)
  const who = person ? ` by ${person.name}` : ''
  if (declined) return [`Declined${who}`, '']
  if (by === 'stop') return ['Not answered, the turn was stopped', '']
  if (by === 'deadline') return ['Taken at the deadline', labels.join(', ') || text]
  return [`Answered${who}`, labels.join(', ') || text]
}

function Outcome({ request }) {
  const [how, what] = outcomeText(request.outcome, request.asked)
  const { declined, by } = request.outcome
  return html`
    <footer class=${classes('outcome', !declined && by === 'person' && 'approved')}>
      <${Icon} name=${declined || by === 'stop' ? 'denied' : 'check'} />
      <span><b>${how}</b> ${what && html`<q>${what}</q>`}</span>
      <${Time} at=${request.answeredAt} />
    </footer>
  `
}

function Form({ request }) {
  const { asked, requestId } = request
  const [chosen, setChosen] = useState([])
  const [other, setOther] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const { options, multiple, required } = asked
  const byButtons = !multiple && options.length <= mostButtons
  const words = other.trim()
  const reply = async (body) => {
    setBusy(true)
    setProblem('')
    setProblem((await answer(requestId, body)) ?? '')
    setBusy(false)
  }
  const submit = (event) => {
    event.preventDefault()
    if (multiple) reply({ answer: words ? [...chosen, words] : chosen })
    else if (words || chosen.length > 0) reply({ answer: words || chosen[0] })
  }
  const ready = words !== '' || chosen.length > 0
  const Options = multiple ? OptionChecks : byButtons ? OptionButtons : OptionSelect
  return html`
    <form class="question-form" onSubmit=${submit}>
      ${
        options.length > 0 &&
        html`<${Options} name=${requestId} options=${options} chosen=${chosen} busy=${busy} onChoose=${(ids) => {
          setChosen(ids)
          if (byButtons) reply({ answer: ids[0] })
        }} />`
      }
      <div class="answer-row">
        <textarea rows="1" aria-label=${options.length > 0 ? 'Something else' : 'Your answer'} value=${other} disabled=${busy}
          placeholder=${options.length > 0 ? 'Something else…' : 'Your answer…'}
          onInput=${(event) => setOther(event.target.value)}
          onKeyDown=${(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event)
          }}></textarea>
        <button class=${classes('button', (ready || options.length === 0) && 'primary')} type="submit" disabled=${busy || !ready}>Answer</button>
        ${!required && html`<button class="button plain" type="button" disabled=${busy} onClick=${() => reply({ declined: true })}>Decline</button>`}
      </div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </form>
  `
}

/** A question or a decision, and what became of it. */
export const Question = memo(({ request, isOver }) => {
  const { asked, outcome, requestKind } = request
  const isPending = !outcome && !isOver
  const title = requestKind === 'decision' ? 'Decision' : 'Question'
  return html`
    <section class=${classes('card question', isPending && 'pending', outcome && 'settled')} aria-label=${title}>
      ${
        asked &&
        html`
          <header>
            <${Icon} name="question" />
            <h3>${asked.question}</h3>
            ${asked.decision && asked.decision !== 'custom' && html`<span class="risk">${asked.decision}</span>`}
          </header>
          ${isPending && asked.context && html`<div class="why"><${Prose} text=${asked.context} /></div>`}
          ${isPending && html`<${Deadline} asked=${asked} />`}`
      }
      ${outcome && html`<${Outcome} request=${request} />`}
      ${isPending && html`<${Form} request=${request} />`}
      ${!outcome && isOver && html`<footer class="outcome"><span>Not answered; the turn is over.</span></footer>`}
    </section>
  `
})
