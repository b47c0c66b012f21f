import type { Attachment, SlackFile, SlackMessage } from '../api/payload.ts'
import { textsIn } from '../text/texts-in-blocks.ts'

const attached = ({ author_name, title, text, fallback, is_share }: Attachment): string => {
  const words = text || fallback || ''
  if (!is_share) return [title, words].filter(Boolean).join('\n')
  const quoted = words.replaceAll(/^/gm, '> ')
  return `${author_name ? `${author_name} wrote:\n` : ''}${quoted}`
}

/** A message's own words and those it forwards, still in Slack's markup. */
export function messageText({ text, attachments, blocks }: SlackMessage): string {
  const handedOn = attachments.filter(({ is_share }) => is_share || text === '').map(attached)
  const words = [text, ...handedOn].filter((one) => one !== '').join('\n\n')
  return words === '' ? [...textsIn(blocks)].join(' ') : words
}

/** A message's own files and those of what it forwards. */
export const filesOf = ({ files, attachments }: SlackMessage): SlackFile[] => [
  ...files,
  ...attachments.filter(({ is_share }) => is_share).flatMap((one) => one.files),
]
