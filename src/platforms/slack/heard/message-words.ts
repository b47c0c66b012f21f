import type { Attachment, SlackMessage } from '../api/payload.ts'

/** Every text in blocks, in their order: for messages that have nothing else. */
export function* textsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const one of value) yield* textsIn(one)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      if (key === 'text' && typeof one === 'string') yield one
      else if (typeof one === 'object') yield* textsIn(one)
    }
  }
}

const attached = ({ author_name, title, text, fallback, is_share }: Attachment): string => {
  const words = text || fallback || ''
  if (!is_share) return [title, words].filter(Boolean).join('\n')
  const quoted = words.replaceAll(/^/gm, '> ')
  return `${author_name ? `${author_name} wrote:\n` : ''}${quoted}`
}

/** A message's own words, and those that it hands on: still with Slack's marks. */
export function wordsOf({ text, attachments, blocks }: SlackMessage): string {
  const handedOn = attachments.filter(({ is_share }) => is_share || text === '').map(attached)
  const words = [text, ...handedOn].filter((one) => one !== '').join('\n\n')
  return words === '' ? [...textsIn(blocks)].join(' ') : words
}
