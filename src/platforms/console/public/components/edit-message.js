import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { closeOnEscape } from '../close-on-escape.js'
import { html } from '../html.js'
import { send } from '../outbox.js'
import { route } from '../state.js'
import { say } from '../words.js'

/** A message being changed in its place. Sending it replaces the message and what came after it. */
export function EditMessage({ text, number, onClose }) {
  const field = useRef(null)
  const [words, setWords] = useState(text)
  useLayoutEffect(() => {
    field.current.focus()
    field.current.setSelectionRange(text.length, text.length)
  }, [])
  const submit = (event) => {
    event.preventDefault()
    if (words.trim() === '') return
    const { project, conversation } = route.peek()
    send({ project, conversation, text: words.trim(), files: [], replaces: number })
    onClose()
  }
  const onKeyDown = (event) => {
    if (event.key === 'Enter' && !event.shiftKey) submit(event)
  }
  return html`
    <form class="edit-message" aria-label=${say.editMessage()} onSubmit=${submit} onKeyDown=${closeOnEscape(onClose)}>
      <textarea ref=${field} rows="2" aria-label=${say.editedText()} value=${words} onKeyDown=${onKeyDown}
        onInput=${(event) => setWords(event.target.value)}></textarea>
      <p class="quiet">${say.editHint()}</p>
      <div class="answer-row">
        <button class="button primary" type="submit" disabled=${words.trim() === ''}>${say.send()}</button>
        <button class="button plain" type="button" onClick=${onClose}>${say.cancel()}</button>
      </div>
    </form>
  `
}
