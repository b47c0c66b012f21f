import { html } from '../html.js'
import { Icon } from '../icons.js'

const words = { good: 'Good answer', bad: 'Bad answer' }

/** People's feedback on an answer: a small mark for each kind, with their names. */
export function FeedbackMarks({ feedback }) {
  if (!feedback) return null
  const marks = Object.values(feedback)
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
  `
}

/** Feedback on an answer that is not on this page of history. */
export const FeedbackLine = ({ value, person }) => html`
  <p class="quiet notice-line"><${Icon} name=${value} />${person.name} rated an answer ${value}</p>
`
