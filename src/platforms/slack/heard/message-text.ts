import type { Attachment, SlackFile, SlackMessage } from '../api/payload.ts'
import { textsIn } from '../text/texts-in-blocks.ts'

const attached = ({ author_name, pretext, title, text, fallback, fields, is_share, blocks }: Attachment): string => {
  // Beside blocks, the fallback only says that there is no preview.
  const words = text || [...textsIn(blocks)].join(' ') || fallback || ''
  const facts = fields.map((field) => [field.title, field.value].filter(Boolean).join(': '))
  if (!is_share) return [pretext, title, words, ...facts].filter(Boolean).join('\n')
  const quoted = words.replaceAll(/^/gm, '> ')
  return `${author_name ? `${author_name} wrote:\n` : ''}${quoted}`
}

/** Bots put details beside their text; what people's texts have beside them is made from links. */
const isOwn = ({ from_url, is_msg_unfurl }: Attachment, { bot_id, subtype }: SlackMessage): boolean =>
  (bot_id !== undefined || subtype === 'bot_message') && from_url === undefined && !is_msg_unfurl

/** A message's own words and those it forwards, still in Slack's markup. */
export function messageText(message: SlackMessage): string {
  const { text, attachments, blocks } = message
  const handedOn = attachments.filter((one) => one.is_share || text === '' || isOwn(one, message)).map(attached)
  const words = [text, ...handedOn].filter((one) => one !== '').join('\n\n')
  return words === '' ? [...textsIn(blocks)].join(' ') : words
}

/** A message's own files and those of what it forwards. */
export const filesOf = ({ files, attachments }: SlackMessage): SlackFile[] => [
  ...files,
  ...attachments.filter(({ is_share }) => is_share).flatMap((one) => one.files),
]
