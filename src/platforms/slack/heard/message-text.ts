import type { Attachment, SlackFile, SlackMessage } from '../api/payload.ts'
import { isTable, tablesIn } from '../text/tables-in-blocks.ts'
import { wordsIn } from '../text/words-in-blocks.ts'

const isNoTable = (block: unknown): boolean => !isTable(block)

/** Names and emoji, which are written in two ways, links up to their label, and entities. */
const markup = /<[@#!][^<>]*>|<[^<>|]*\||:[^\s:<>]+:|&(?:gt|lt|amp);/g

/** Slack letters the lists within lists; a notification has no numbers. */
const itemNumber = /(?<![\p{L}\p{N}])(?:\d+|[a-z]|[ivx]+)\.(?=\s|$)/gu

/** Letters and digits, whatever the formatting. */
const lettersOf = (text: string): string =>
  text
    .replaceAll(markup, '')
    .replaceAll(itemNumber, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** Searching for more letters than this could take long. */
const mostSought = 1000

const holds = (whole: string, part: string): boolean =>
  part.length > mostSought ? whole.startsWith(part) : whole.includes(part)

/** What a text says beside its letters: names, where links lead, emoji, numbers of lists, and lines. */
const sign = /<[^<>|]*|:[^\s:<>]+:|\p{Extended_Pictographic}|\d+\.|\n/gu

const hasSignsOf = (whole: string, part: string): boolean =>
  (part.match(sign) ?? []).every((one) => whole.includes(one))

/** What looks like the number of a list's item may be the end of a sentence, as in "Open incidents: 12." */
const hasNumbersOf = (whole: string, part: string): boolean =>
  (part.match(/\d+(?=\.)/g) ?? []).every((one) => whole.includes(one))

/** Apps send a text for notifications beside their blocks: the same words, their beginning, or a headline. */
function together(text: string, words: string): string {
  const [one, other] = [lettersOf(text), lettersOf(words)]
  if (text !== '' && holds(one, other) && hasSignsOf(text, words)) return text
  const isSaid = one === '' ? hasSignsOf(words, text) : holds(other, one) && hasNumbersOf(words, text)
  return isSaid ? words : `${text}\n\n${words}`
}

const attached = (attachment: Attachment): string => {
  const { author_name, pretext, title, text, fallback, fields, is_share, message_blocks } = attachment
  const blocks = [...attachment.blocks, ...message_blocks.flatMap(({ message }) => message.blocks)]
  const tables = tablesIn(blocks)
  // Beside blocks, the fallback only says that there is no preview.
  const words = together(text ?? '', wordsIn(blocks)) || (tables.length > 0 ? '' : fallback) || ''
  const facts = fields.map((field) => [field.title, field.value].filter(Boolean).join(': '))
  if (!is_share) return [pretext, title, words, ...facts, ...tables].filter(Boolean).join('\n')
  const quoted = [words, ...tables].filter(Boolean).join('\n').replaceAll(/^/gm, '> ')
  return `${author_name ? `${author_name} wrote:\n` : ''}${quoted}`
}

/** What Slack makes of a link in the text. */
const isPreview = ({ from_url, is_msg_unfurl }: Attachment): boolean => from_url !== undefined || is_msg_unfurl

const isBots = ({ bot_id, subtype }: SlackMessage): boolean => bot_id !== undefined || subtype === 'bot_message'

/** Bots put details beside their text; people have only previews and tables there. */
const isOwn = (one: Attachment, message: SlackMessage): boolean => isBots(message) && !isPreview(one)

/** The tables of an attachment: cells that somebody pastes are one beside the text. */
const pasted = (one: Attachment): string => (isPreview(one) ? '' : tablesIn(one.blocks).join('\n\n'))

/** A message's own words and tables, and those it forwards, still in Slack's markup. */
export function messageText(message: SlackMessage): string {
  const { text, attachments, blocks } = message
  const beside = attachments.map((one) =>
    one.is_share || text === '' || isOwn(one, message) ? attached(one) : pasted(one),
  )
  const isAll = !isBots(message) && [text, ...beside].some((one) => one !== '')
  const said = isAll ? text : together(text, wordsIn(blocks))
  return [said, ...tablesIn(blocks), ...beside].filter((one) => one !== '').join('\n\n')
}

/** Beside its text, all its tables and a bot's words: Slack changes none by itself. */
export const besideText = (message: SlackMessage): string[] => [
  ...tablesIn(message.blocks),
  ...message.attachments.map((one) => (isOwn(one, message) ? attached(one) : pasted(one))),
  isBots(message) ? wordsIn(message.blocks) : '',
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
