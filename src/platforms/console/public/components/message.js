import { useRef, useState } from 'preact/hooks'
import { useFocusBack } from '../focus-back.js'
import { formatFull, formatTime, initials } from '../format.js'
import { classes, html, memo } from '../html.js'
import { Icon, Logo } from '../icons.js'
import { canWrite, conversationHere, isMe, threadState, today } from '../state.js'
import { say } from '../words.js'
import { EditMessage } from './edit-message.js'
import { FeedbackMarks } from './feedback.js'
import { FileChips } from './files.js'
import { PlainText } from './plain-text.js'
import { Prose } from './prose.js'
import { CopyButton } from './turn-foot.js'

export const Time = ({ at }) => html`<time datetime=${at} title=${formatFull(at)}>${formatTime(at, today.value)}</time>`

const AlarmLine = ({ message, at }) => html`
  <article id=${`item-${message.message_id}`} tabindex="-1" class="alarm" aria-label=${say.alarm()}>
    <${Icon} name="alarm" /><span><span class="unseen">${say.alarm()}: </span>${message.text}</span><${Time} at=${at} />
  </article>
`

const Body = ({ message, isBot }) => {
  const { text, files, changed, feedback } = message
  if (changed === 'deleted') return html`<p class="quiet">${say.deleted()}</p>`
  return html`
    ${isBot ? html`<${Prose} text=${text} />` : text && html`<${PlainText} text=${text} />`}
    <${FileChips} files=${files} />
    <${FeedbackMarks} feedback=${feedback} />
  `
}

/** Below a person's message: copy, edit. */
function MessageFoot({ message, canEdit, edit, onEdit }) {
  const mayEdit = canEdit && canWrite.value && threadState.value === 'idle'
  return html`
    <div class="message-foot">
      ${message.text && html`<${CopyButton} text=${message.text} label=${say.copyMessage()} />`}
      ${
        mayEdit &&
        html`<button class="icon-button small" type="button" aria-label=${say.editMessage()} title=${say.editMessageHint()}
          ref=${edit} onClick=${onEdit}><${Icon} name="edit" /></button>`
      }
    </div>
  `
}

/**
 * A message from a person, an alarm, or the bot outside a turn. `number`: of its event; a message with one can be
 * replaced.
 */
export const MessageView = memo(({ message, at, number }) => {
  const [editing, setEditing] = useState(false)
  const edit = useRef(null)
  useFocusBack(edit, editing)
  if (message.role === 'alarm') return html`<${AlarmLine} message=${message} at=${at} />`
  const isBot = message.role === 'assistant'
  const name = isBot
    ? say.bobbin()
    : (message.person?.name ?? (conversationHere.value?.parent ? say.theTask() : say.someone()))
  const isMine = !isBot && isMe(message.person)
  return html`
    <article id=${`item-${message.message_id}`} tabindex="-1" class=${classes('message', isMine && 'mine')} aria-label=${name}>
      <span class=${classes('avatar', isBot && 'bot')} aria-hidden="true">${isBot ? html`<${Logo} />` : initials(name)}</span>
      <header><b>${name}</b><${Time} at=${at} />
        ${message.changed === 'edited' && html`<span class="edited">${say.edited()}</span>`}</header>
      <div class="message-body">
        ${
          editing
            ? html`<${EditMessage} id=${message.message_id} text=${message.text} number=${number} onClose=${() => setEditing(false)} />`
            : html`<${Body} message=${message} isBot=${isBot} />`
        }
        ${
          !isBot &&
          !editing &&
          message.changed !== 'deleted' &&
          html`<${MessageFoot} message=${message} canEdit=${isMine && number !== undefined} edit=${edit} onEdit=${() => setEditing(true)} />`
        }
      </div>
    </article>
  `
})
