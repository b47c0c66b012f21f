import { classes, html } from '../html.js'
import { useKept } from '../kept.js'
import { say } from '../words.js'
import { OptionButtons, OptionChecks, OptionRadios, OptionSelect } from './question-options.js'
import { useAnswer } from './use-answer.js'

const mostButtons = 6

/** The answer to one question as the API takes it; '' when there is none. */
function givenOf({ chosen, other }, { multiple }) {
  const words = other.trim()
  if (!multiple) return words || (chosen[0] ?? '')
  const all = words ? [...chosen, words] : chosen
  return all.length > 0 ? all : ''
}

const otherLabel = (options) => (options.length > 0 ? say.somethingElse() : say.yourAnswer())

function Other({ options, label, value, busy, onInput, onEnter }) {
  return html`
    <textarea rows="1" dir="auto" aria-label=${label} value=${value} disabled=${busy}
      placeholder=${options.length > 0 ? say.somethingElseHint() : say.yourAnswerHint()}
      onInput=${(event) => onInput(event.target.value)}
      onKeyDown=${(event) => {
        if (event.key === 'Enter' && !event.shiftKey) onEnter(event)
      }}></textarea>
  `
}

const Decline = ({ busy, reply }) => html`
  <button class="button plain" type="button" disabled=${busy} onClick=${() => reply({ declined: true })}>${say.decline()}</button>
`

const Problem = ({ problem }) => problem && html`<p class="problem" role="alert">${problem}</p>`

/** One question, answered with a single click where that's possible. */
function Single({ requestId, asked }) {
  const [given, setGiven] = useKept(requestId, { chosen: [], other: '' })
  const { busy, problem, reply } = useAnswer(requestId)
  const { options, multiple, required } = asked
  const byButtons = !multiple && options.length <= mostButtons
  const value = givenOf(given, asked)
  const submit = (event) => {
    event.preventDefault()
    if (value !== '') reply({ answer: value })
  }
  const choose = (chosen) => {
    setGiven({ ...given, chosen })
    if (byButtons) reply({ answer: chosen[0] })
  }
  const Options = multiple ? OptionChecks : byButtons ? OptionButtons : OptionSelect
  return html`
    <form class="question-form" onSubmit=${submit}>
      ${
        options.length > 0 &&
        html`<${Options} name=${requestId} options=${options} chosen=${given.chosen} busy=${busy} onChoose=${choose} />`
      }
      <div class="answer-row">
        <${Other} options=${options} label=${otherLabel(options)} value=${given.other} busy=${busy}
          onInput=${(other) => setGiven({ ...given, other })} onEnter=${submit} />
        <button class=${classes('button', (value !== '' || options.length === 0) && 'primary')} type="submit" disabled=${busy || value === ''}>${say.answer()}</button>
        ${!required && html`<${Decline} busy=${busy} reply=${reply} />`}
      </div>
      <${Problem} problem=${problem} />
    </form>
  `
}

function Part({ name, part, number, given, busy, onGive, onEnter }) {
  const { question, options, multiple, required } = part
  const Options = multiple ? OptionChecks : options.length <= mostButtons ? OptionRadios : OptionSelect
  // The person's own text replaces a single choice.
  const choose = (chosen) => onGive({ chosen, other: multiple ? given.other : '' })
  const write = (other) => onGive({ chosen: multiple || other.trim() === '' ? given.chosen : [], other })
  return html`
    <div class="part" role="group" aria-label=${question}>
      <p class="part-question"><span class="part-number">${number}.</span> <bdi>${question}</bdi>${!required && html`<small>${say.mayStayOpen()}</small>`}</p>
      ${options.length > 0 && html`<${Options} name=${name} options=${options} chosen=${given.chosen} busy=${busy} onChoose=${choose} />`}
      <${Other} options=${options} label=${`${otherLabel(options)}: ${question}`}
        value=${given.other} busy=${busy} onInput=${write} onEnter=${onEnter} />
    </div>
  `
}

/** Several questions, answered together. */
function Several({ requestId, asked, parts }) {
  const [all, setAll] = useKept(
    requestId,
    parts.map(() => ({ chosen: [], other: '' })),
  )
  const { busy, problem, reply } = useAnswer(requestId)
  const values = parts.map((part, place) => givenOf(all[place], part))
  const open = parts.filter(({ required }, place) => required && values[place] === '').length
  const isReady = open === 0 && values.some((value) => value !== '')
  const submit = (event) => {
    event.preventDefault()
    const [answer, ...also] = values
    if (isReady) reply({ answer, also })
  }
  return html`
    <form class="question-form several" onSubmit=${submit}>
      ${parts.map(
        (part, place) => html`<${Part} key=${place} name=${`${requestId}-${place}`} part=${part} number=${place + 1}
          given=${all[place]} busy=${busy} onGive=${(given) => setAll(all.with(place, given))} onEnter=${submit} />`,
      )}
      <div class="answer-row">
        <button class=${classes('button', isReady && 'primary')} type="submit" disabled=${busy || !isReady}>${say.answer()}</button>
        ${!asked.required && html`<${Decline} busy=${busy} reply=${reply} />`}
        ${open > 0 && html`<span class="still-open">${say.answersMissing({ count: open })}</span>`}
      </div>
      <${Problem} problem=${problem} />
    </form>
  `
}

/** The form of a question; several questions share one. */
export function QuestionForm({ requestId, asked }) {
  const parts = [asked, ...(asked.also ?? [])]
  return parts.length > 1
    ? html`<${Several} requestId=${requestId} asked=${asked} parts=${parts} />`
    : html`<${Single} requestId=${requestId} asked=${asked} />`
}
