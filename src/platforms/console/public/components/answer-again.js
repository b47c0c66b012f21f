import { useLayoutEffect, useRef } from 'preact/hooks'
import { closeOnEscape } from '../close-on-escape.js'
import { html } from '../html.js'
import { send } from '../outbox.js'
import { route, thread } from '../state.js'
import { saidSince } from '../thread.js'
import { say } from '../words.js'

export function answerAgain(number) {
  const { project, conversation } = route.peek()
  send({ project, conversation, text: '', files: [], replaces: number })
}

/** Says first whose messages would fold. */
export function AskAnswerAgain({ number, onClose }) {
  const first = useRef(null)
  useLayoutEffect(() => first.current.focus(), [])
  const messages = saidSince(thread.value, number)
  const names = [...new Set(messages.map(({ person }) => person?.name ?? say.someone()))].join(', ')
  const submit = (event) => {
    event.preventDefault()
    answerAgain(number)
    onClose()
  }
  return html`
    <form class="edit-message" aria-label=${say.answerAgain()} onSubmit=${submit} onKeyDown=${closeOnEscape(onClose)}>
      <p class="quiet">${say.foldsMessages({ count: messages.length, names })}</p>
      <div class="answer-row">
        <button class="button primary" type="submit" ref=${first}>${say.answerAgain()}</button>
        <button class="button plain" type="button" onClick=${onClose}>${say.cancel()}</button>
      </div>
    </form>
  `
}
