import { useLayoutEffect, useRef } from 'preact/hooks'
import { closeOnEscape } from '../close-on-escape.js'
import { html } from '../html.js'
import { forget, useKept } from '../kept.js'
import { send } from '../outbox.js'
import { route } from '../state.js'
import { say } from '../words.js'

/** A message being changed in its place. Sending it replaces the message and what came after it. */
export function EditMessage({ id, text, number, onClose }) {
  const field = useRef(null)
  const name = `edit-${id}`
  const [words, setWords] = useKept(name, text)
  const close = () => {
    forget(name)
    onClose()
  }
  useLayoutEffect(() => {
    field.current.focus()
    field.current.setSelectionRange(words.length, words.length)
  }, [])
  const submit = (event) => {
    event.preventDefault()
    if (words.trim() === '') return
    const { project, conversation } = route.peek()
    send({ project, conversation, text: words.trim(), files: [], replaces: number })
    close()
  }
  const onKeyDown = (event) => {
    if (event.key === 'Enter' && !event.shiftKey) submit(event)
  }
  return html`
    <form class="edit-message" aria-label=${say.editMessage()} onSubmit=${submit} onKeyDown=${closeOnEscape(close)}>
      <textarea ref=${field} rows="2" dir="auto" aria-label=${say.editedText()} value=${words} onKeyDown=${onKeyDown}
        onInput=${(event) => setWords(event.target.value)}></textarea>
      <p class="quiet">${say.editHint()}</p>
      <div class="answer-row">
        <button class="button primary" type="submit" disabled=${words.trim() === ''}>${say.send()}</button>
        <button class="button plain" type="button" onClick=${close}>${say.cancel()}</button>
      </div>
    </form>
  `
}
