import { useLayoutEffect, useRef } from 'preact/hooks'
import { giveFeedback } from '../api.js'
import { closeOnEscape } from '../close-on-escape.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { forget, useKept } from '../kept.js'
import { me, notify, report, route } from '../state.js'
import { say } from '../words.js'

const words = { good: say.goodAnswer(), bad: say.badAnswer() }

/** People's feedback on an answer: a small mark for each kind, with their names, and their reasons. */
export function FeedbackMarks({ feedback }) {
  if (!feedback) return null
  const marks = Object.values(feedback)
  const reasons = marks.filter(({ reason }) => reason)
  return html`
    <p class="feedback">
      ${Object.keys(words).map((value) => {
        const names = marks.filter((mark) => mark.value === value).map(({ name }) => name)
        if (names.length === 0) return null
        const who = names.join(', ')
        return html`<span key=${value} class=${`feedback-mark ${value}`} title=${`${words[value]}: ${who}`}>
          <${Icon} name=${value} /><span class="unseen">${words[value]}: </span>${who}</span>`
      })}
    </p>
    ${reasons.map(({ name, reason }) => html`<p key=${name} class="feedback-reason"><b>${name}:</b> <bdi>${reason}</bdi></p>`)}
  `
}

/** Feedback on an answer that is not on this page of history. */
export const FeedbackLine = ({ value, person, reason }) => html`
  <p class="quiet notice-line"><${Icon} name=${value} />${say.ratedAnswer({ name: person.name, value })}${reason && html` <q dir="auto">${reason}</q>`}</p>
`

/** Shows the feedback once the thread's stream brings it. */
async function give(messageId, value, reason) {
  const { conversation } = route.peek()
  try {
    await giveFeedback(conversation, { message_id: messageId, value, reason, user_id: me.peek() })
    return true
  } catch (error) {
    report(error)
    return false
  }
}

/** Opens after "Bad answer", which counts whether or not it is sent. */
export function FeedbackForm({ messageId, onClose }) {
  const field = useRef(null)
  const name = `feedback-${messageId}`
  const [reason, setReason] = useKept(name, '')
  const close = () => {
    forget(name)
    onClose()
  }
  useLayoutEffect(() => field.current.focus(), [])
  const submit = async (event) => {
    event.preventDefault()
    if (reason.trim() === '') return close()
    if (!(await give(messageId, 'bad', reason.trim()))) return
    notify(say.feedbackStored())
    close()
  }
  return html`
    <form class="edit-message feedback-form" aria-label=${say.feedback()} onSubmit=${submit} onKeyDown=${closeOnEscape(close)}>
      <label>${say.betterAnswerQuestion()}
        <textarea ref=${field} rows="2" dir="auto" maxlength="3000" value=${reason}
          onInput=${(event) => setReason(event.target.value)}></textarea></label>
      <div class="answer-row">
        <button class="button primary" type="submit">${say.send()}</button>
        <button class="button plain" type="button" onClick=${close}>${say.skip()}</button>
      </div>
    </form>
  `
}

/** "Good answer" and "Bad answer"; the one that this person has given is pressed. */
export function FeedbackButtons({ answer, bad, onBad }) {
  const mine = (answer.feedback?.[me.value] ?? answer.feedback?.operator)?.value
  const click = async (value) => {
    if (value === mine && value === 'good') return
    if (value !== mine && !(await give(answer.messageId, value))) return
    if (value === 'bad') onBad()
  }
  return Object.entries(words).map(
    ([value, label]) => html`
      <button key=${value} class="icon-button small" type="button" aria-label=${label} title=${label}
        aria-pressed=${mine === value} ref=${value === 'bad' ? bad : undefined} onClick=${() => click(value)}>
        <${Icon} name=${value} /></button>
    `,
  )
}
