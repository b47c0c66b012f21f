import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { stop } from '../actions.js'
import { commandIn, complete, completionAt } from '../completion.js'
import { attach, attachments, clearAttachments, detach, putBacks, readDraft, refusals, writeDraft } from '../drafts.js'
import { formatSize, visibleName } from '../format.js'
import { classes, html } from '../html.js'
import { Icon } from '../icons.js'
import { send } from '../outbox.js'
import { about, files, pendingHere, route, thread, threadState, tools } from '../state.js'
import { say } from '../words.js'
import { PlanStrip } from './plan.js'

const Attachment = ({ file, onRemove }) => html`
  <li class="chip">
    <${Icon} name="file" />
    <span class="file-name">${visibleName(file.name)}</span>
    <span class="file-meta">${formatSize(file.size)}</span>
    <button class="icon-button small" type="button" aria-label=${say.removeFile({ name: visibleName(file.name) })} onClick=${onRemove}>
      <${Icon} name="close" />
    </button>
  </li>
`

const Completion = ({ choices, active, onPick }) => html`
  <ul class="completion" role="listbox" id="completion" aria-label=${say.completions()}>
    ${choices.map(
      ({ label, hint }, index) => html`
        <li key=${label} id=${`completion-${index}`} role="option" aria-selected=${index === active}
          ref=${(element) => index === active && element?.scrollIntoView({ block: 'nearest' })}
          class=${classes(index === active && 'active')} onMouseDown=${(event) => {
            event.preventDefault()
            onPick(index)
          }}><span>${visibleName(label)}</span><small>${visibleName(hint)}</small></li>
      `,
    )}
  </ul>
`

/** The completion list at the cursor, controlled with the text field's keys. */
function useCompletion(field, setText) {
  const [open, setOpen] = useState(undefined)
  const [active, setActive] = useState(0)
  const update = () => {
    const { value, selectionStart, selectionEnd } = field.current
    const offers = () => completionAt(value, selectionStart, files.value, about.value?.commands, tools.value)
    setOpen(selectionStart === selectionEnd ? offers() : undefined)
    setActive(0)
  }
  const pick = (index) => {
    const { value, selectionStart } = field.current
    const next = complete(value, selectionStart, open.start, open.choices[index].insert)
    field.current.value = next.text
    field.current.setSelectionRange(next.cursor, next.cursor)
    setText(next.text)
    setOpen(undefined)
  }
  const moves = { ArrowDown: 1, ArrowUp: -1 }
  /** True when the list handled the key. */
  const onKey = (event) => {
    if (!open) return false
    const count = open.choices.length
    if (moves[event.key]) setActive((active + moves[event.key] + count) % count)
    else if (event.key === 'Escape') setOpen(undefined)
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)) pick(active)
    else return false
    event.preventDefault()
    return true
  }
  return { open, active, update, pick, onKey, close: () => setOpen(undefined) }
}

/** What happens to a message sent now. */
function hintFor(text, state, pending) {
  const command = commandIn(text, about.value?.commands ?? [])
  if (command) return `/${command.name}: ${command.summary}`
  if (state === 'running') return say.composerRunning()
  if (state !== 'waiting') return ''
  const isQuestion = pending.some(({ requestKind }) => requestKind !== 'approval')
  return isQuestion ? say.composerQuestion() : say.composerApproval()
}

export function Composer({ id }) {
  const field = useRef(null)
  const picker = useRef(null)
  const [text, setText] = useState(() => readDraft(id))
  const completion = useCompletion(field, (next) => change(next))
  const chosen = attachments.value[id] ?? []
  const state = threadState.value
  const change = (next) => {
    setText(next)
    writeDraft(id, next)
  }
  useLayoutEffect(() => setText(readDraft(id)), [putBacks.value])
  useLayoutEffect(() => {
    field.current.style.height = 'auto'
    field.current.style.height = `${field.current.scrollHeight + 2}px`
  }, [text])
  useLayoutEffect(() => {
    // A new thread gets a new composer, so the focus has to move to it, before the next key is pressed.
    if (document.activeElement === document.body && matchMedia('(pointer: fine)').matches) field.current.focus()
  }, [])
  const submit = () => {
    if (text.trim() === '' && chosen.length === 0) return
    const { project, conversation } = route.peek()
    send({ project, conversation, text: text.trim(), files: chosen })
    change('')
    clearAttachments(id)
    completion.close()
  }
  const onKeyDown = (event) => {
    if (completion.onKey(event)) return
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }
  const onPaste = (event) => {
    const { files, types } = event.clipboardData
    // Office programs add a picture of the text that was copied.
    const isText = types.includes('text/plain') && types.includes('text/html')
    if (files.length === 0 || isText) return
    event.preventDefault()
    attach(id, files)
  }
  return html`
    <form class="composer" id="composer" onSubmit=${(event) => {
      event.preventDefault()
      submit()
    }}>
      <${PlanStrip} todos=${thread.value.todos} />
      <div class="composer-box">
        ${completion.open && html`<${Completion} choices=${completion.open.choices} active=${completion.active} onPick=${completion.pick} />`}
        ${
          chosen.length > 0 &&
          html`<ul class="chips" aria-label=${say.attachedFiles()}>
            ${chosen.map((file, index) => html`<${Attachment} key=${`${index}-${file.name}`} file=${file} onRemove=${() => detach(id, file)} />`)}
          </ul>`
        }
        ${
          refusals.value[id] &&
          html`<div class="refused-files" role="alert"><${Icon} name="failed" /><p>${refusals.value[id].join(' ')}</p></div>`
        }
        <textarea ref=${field} rows="1" dir="auto" value=${text} aria-label=${say.message()} placeholder=${say.composerHint()}
          aria-haspopup="listbox" aria-controls=${completion.open ? 'completion' : undefined} aria-autocomplete="list"
          aria-activedescendant=${completion.open ? `completion-${completion.active}` : undefined}
          onInput=${(event) => {
            change(event.target.value)
            completion.update()
          }} onClick=${completion.update} onBlur=${completion.close} onKeyDown=${onKeyDown} onPaste=${onPaste}></textarea>
        <div class="composer-row">
          <input class="unseen" type="file" multiple tabindex="-1" aria-hidden="true" ref=${picker} onChange=${(
            event,
          ) => {
            attach(id, event.target.files)
            event.target.value = ''
            // Somebody may have left the thread meanwhile.
            field.current?.focus()
          }} />
          <button class="icon-button" type="button" aria-label=${say.attachFiles()} title=${say.attachFiles()}
            onClick=${() => picker.current.click()}><${Icon} name="attach" /></button>
          <span class="hint">${hintFor(text, state, pendingHere.value)}</span>
          ${
            state !== 'idle' &&
            html`<button class="icon-button stop" type="button" aria-label=${say.stopTurn()} title=${say.stopHint()}
              onClick=${stop}><${Icon} name="stop" /></button>`
          }
          <button class="icon-button send" type="submit" aria-label=${say.send()} title=${say.sendEnter()}
            disabled=${text.trim() === '' && chosen.length === 0}><${Icon} name="send" /></button>
        </div>
      </div>
    </form>
  `
}
