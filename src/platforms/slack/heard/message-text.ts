import type { Attachment, SlackFile, SlackMessage } from '../api/payload.ts'
import { isTable, tablesIn } from '../text/tables-in-blocks.ts'
import { textsIn } from '../text/texts-in-blocks.ts'

const isNoTable = (block: unknown): boolean => !isTable(block)
const wordsIn = (blocks: unknown[]): string => [...textsIn(blocks.filter(isNoTable))].join(' ')

const attached = ({ author_name, pretext, title, text, fallback, fields, is_share, blocks }: Attachment): string => {
  const tables = tablesIn(blocks)
  // Beside blocks, the fallback only says that there is no preview.
  const words = text || wordsIn(blocks) || (tables.length > 0 ? '' : fallback) || ''
  const facts = fields.map((field) => [field.title, field.value].filter(Boolean).join(': '))
  if (!is_share) return [pretext, title, words, ...facts, ...tables].filter(Boolean).join('\n')
  const quoted = [words, ...tables].filter(Boolean).join('\n').replaceAll(/^/gm, '> ')
  return `${author_name ? `${author_name} wrote:\n` : ''}${quoted}`
}

/** What Slack makes of a link in the text. */
const isPreview = ({ from_url, is_msg_unfurl }: Attachment): boolean => from_url !== undefined || is_msg_unfurl

/** Bots put details beside their text; people have only previews and tables there. */
const isOwn = (one: Attachment, { bot_id, subtype }: SlackMessage): boolean =>
  (bot_id !== undefined || subtype === 'bot_message') && !isPreview(one)

/** The tables of an attachment: cells that somebody pastes are one beside the text. */
const pasted = (one: Attachment): string => (isPreview(one) ? '' : tablesIn(one.blocks).join('\n\n'))

/** A message's own words and tables, and those it forwards, still in Slack's markup. */
export function messageText(message: SlackMessage): string {
  const { text, attachments, blocks } = message
  const beside = attachments.map((one) =>
    one.is_share || text === '' || isOwn(one, message) ? attached(one) : pasted(one),
  )
  const said = [text, ...beside].some((one) => one !== '') ? text : wordsIn(blocks)
  return [said, ...tablesIn(blocks), ...beside].filter((one) => one !== '').join('\n\n')
}

/** All its tables, whoever's: Slack changes none by itself. */
export const tablesOf = ({ attachments, blocks }: SlackMessage): string[] => [
  ...tablesIn(blocks),
  ...attachments.map(pasted),
]

export const withoutTables = (message: SlackMessage): SlackMessage => ({
  ...message,
  blocks: message.blocks.filter(isNoTable),
  attachments: message.attachments.map((one) => ({ ...one, blocks: one.blocks.filter(isNoTable) })),
})

/** A message's own files and those of what it forwards. */
export const filesOf = ({ files, attachments }: SlackMessage): SlackFile[] => [
  ...files,
  ...attachments.filter(({ is_share }) => is_share).flatMap((one) => one.files),
]
