import { cardId } from '../card-focus.js'
import { formatFull, formatLeft } from '../format.js'
import { classes, html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { now, requests, thread } from '../state.js'
import { say } from '../words.js'
import { Time } from './message.js'
import { PlanEditor } from './plan-editor.js'
import { Prose } from './prose.js'
import { QuestionForm } from './question-form.js'
import { UnsentWords } from './unsent-words.js'

/** A restart or a late card moves it, which only the list of pending requests knows. */
function Deadline({ asked }) {
  const pending = requests.value.find(({ id }) => id === asked.request_id)
  const at = pending === undefined ? asked.deadline_at : pending.deadline_at
  if (!at) return null
  const left = formatLeft(at, now.value)
  const chosen = asked.options.find((option) => option.id === asked.default)?.label ?? asked.default
  const then = chosen ? `then “${chosen}” is chosen` : 'then Bobbin continues without one'
  return html`<p class="deadline" title=${formatFull(at)}>${left ? `${left} left, ${then}` : say.timeUp()}</p>`
}

/** The people a question is for; without any, everybody here. */
const Addressed = ({ to, who = [] }) =>
  to?.length > 0 &&
  html`<p class="why to">${say.forPeople({ people: [...to.map(({ name }) => name), who].flat().join(', ') })}</p>`

const labelsOf = (ids, part) =>
  (ids ?? []).map((id) => part?.options.find((option) => option.id === id)?.label).filter(Boolean)

/** The chosen options, or else the text that was written. */
const given = (text, ids, part) => labelsOf(ids, part).join(', ') || text

function outcomeWords({ by, declined, person }) {
  const name = person?.name
  if (declined && by === 'deadline') return say.unansweredInTime()
  if (declined) return name ? say.declinedBy({ name }) : say.declined()
  if (by === 'stop') return name ? say.unansweredByStop() : say.withdrawn()
  if (by === 'deadline') return say.chosenByDeadline()
  return name ? say.answeredBy({ name }) : say.answered()
}

function Answers({ outcome, asked }) {
  const { answer, option_ids: ids, also = [], declined, by } = outcome
  if (declined || by === 'stop') return null
  const first = given(answer, ids, asked)
  if (also.length === 0) return first && html`<q dir="auto">${first}</q>`
  const parts = [asked, ...(asked?.also ?? [])]
  const all = [first, ...also.map(({ text, option_ids }, place) => given(text, option_ids, parts[place + 1]))]
  return html`
    <ol class="answers">
      ${all.map((words, place) => html`<li key=${place}><bdi>${parts[place]?.question}</bdi> ${words ? html`<q dir="auto">${words}</q>` : say.noAnswer()}</li>`)}
    </ol>
  `
}

function Outcome({ request: { outcome, asked, answeredAt } }) {
  const { declined, by } = outcome
  return html`
    <footer class=${classes('outcome', !declined && by === 'person' && 'approved')}>
      <${Icon} name=${declined || by === 'stop' ? 'denied' : 'check'} />
      <span><b>${outcomeWords(outcome)}</b> <${Answers} outcome=${outcome} asked=${asked} /></span>
      <${Time} at=${answeredAt} />
    </footer>
  `
}

/** A form shows each question with its field, so the first one can't be the heading. */
const titleOf = (asked, isPending) => {
  const count = 1 + (asked.also?.length ?? 0)
  if (count === 1) return asked.question
  return isPending ? say.questionsHead({ count }) : say.questions({ count })
}

/** A question or decision, and its outcome. */
export const Question = memo(({ request, isOver }) => {
  const { asked, outcome, requestKind, requestId } = request
  const isPending = !outcome && !isOver
  const plan = isPending && thread.value.plan?.asked_by === request.callId ? thread.value.plan : undefined
  const title = requestKind === 'decision' || requestKind === 'loop' ? say.decision() : say.question()
  return html`
    <section id=${cardId(requestId)} tabindex="-1" class=${classes('card question', isPending && 'pending', outcome && 'settled')} aria-label=${title}>
      ${
        asked &&
        html`
          <header>
            <${Icon} name="question" />
            <h2 dir="auto">${titleOf(asked, isPending)}</h2>
            ${asked.decision && asked.decision !== 'custom' && html`<span class="risk">${asked.decision}</span>`}
          </header>
          <${Addressed} to=${asked.to} who=${asked.who} />
          ${isPending && !plan && asked.context && html`<div class="why"><${Prose} text=${asked.context} /></div>`}
          ${isPending && html`<${Deadline} asked=${asked} />`}`
      }
      ${outcome && html`<${Outcome} request=${request} />`}
      ${plan && html`<${PlanEditor} key=${requestId} requestId=${requestId} plan=${plan} />`}
      ${isPending && asked && !plan && html`<${QuestionForm} requestId=${requestId} asked=${asked} />`}
      ${!outcome && isOver && html`<footer class="outcome"><span>${say.approvalOver()}</span></footer>`}
      ${!isPending && html`<${UnsentWords} requestId=${requestId} outcome=${outcome} />`}
    </section>
  `
})
