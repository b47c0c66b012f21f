import { formatFull, formatTime, initials } from '../format.js'
import { classes, html, memo } from '../html.js'
import { Icon, Logo } from '../icons.js'
import { me } from '../state.js'
import { FeedbackMarks } from './feedback.js'
import { FileChips } from './files.js'
import { PlainText } from './plain-text.js'
import { Prose } from './prose.js'

export const Time = ({ at }) => html`<time datetime=${at} title=${formatFull(at)}>${formatTime(at)}</time>`

const AlarmLine = ({ message, at }) => html`
  <article id=${`item-${message.message_id}`} tabindex="-1" class="alarm" aria-label="Alarm">
    <${Icon} name="alarm" /><span><span class="unseen">Alarm: </span>${message.text}</span><${Time} at=${at} />
  </article>
`

const Body = ({ message, isBot }) => {
  const { text, files, changed, feedback } = message
  if (changed === 'deleted') return html`<p class="quiet">deleted</p>`
  return html`
    ${isBot ? html`<${Prose} text=${text} />` : text && html`<${PlainText} text=${text} />`}
    <${FileChips} files=${files} />
    <${FeedbackMarks} feedback=${feedback} />
  `
}

/** A message from a person, an alarm, or the bot outside a turn. */
export const MessageView = memo(({ message, at }) => {
  if (message.role === 'alarm') return html`<${AlarmLine} message=${message} at=${at} />`
  const isBot = message.role === 'assistant'
  const name = isBot ? 'Bobbin' : (message.person?.name ?? 'Someone')
  const isMe = !isBot && (message.person?.id === me.value || message.person?.name === me.value)
  return html`
    <article id=${`item-${message.message_id}`} tabindex="-1" class=${classes('message', isMe && 'mine')} aria-label=${name}>
      <span class=${classes('avatar', isBot && 'bot')} aria-hidden="true">${isBot ? html`<${Logo} />` : initials(name)}</span>
      <header><b>${name}</b><${Time} at=${at} />
        ${message.changed === 'edited' && html`<span class="edited">edited</span>`}</header>
      <div class="message-body"><${Body} message=${message} isBot=${isBot} /></div>
    </article>
  `
})
