import type { ParsedDocument } from '../document.ts'
import { type ParseInner, type ParseLimits, Parts } from '../parse.ts'
import { markdownOfHtml } from './html.ts'
import { howToRead, type InnerFile, type ReadInside, readInside } from './inside.ts'

/** The most attachments that are listed; the rest is counted. */
const maxAttachments = 200

export interface MessageAttachment extends InnerFile {
  mimeType: string
}

/** Markdown or plain text. `isCut`: it lacks its end. `hasMore`: the page says more. */
export interface MessageBody {
  body: string
  isCut: boolean
  hasMore?: boolean
}

/** The text of a page; much of one is no text. */
export function bodyOfPage(html: string, limits: ParseLimits): MessageBody {
  const most = limits.textCharacters * 2
  return { body: markdownOfHtml(html.slice(0, most)), isCut: html.length > most }
}

/** A page that has only some letters more doesn't say more: it may have a signature. */
const fewLetters = 100

/** The plain text, unless it is missing or says hardly more than that there is a page. */
export function bodyOfBoth(plain: string, html: string, limits: ParseLimits): MessageBody {
  const page = bodyOfPage(html, limits)
  const [written, shown] = [lettersIn(plain), lettersIn(page.body)]
  if (plain === '' || (shown > 0 && shown >= 4 * written)) return page
  return { body: plain, isCut: false, hasMore: shown >= 1.5 * written + fewLetters }
}

/** Without addresses: pages have many that nobody sees. */
const lettersIn = (text: string): number =>
  text.replace(/\]\([^()\s]*\)|https?:\S+/g, '').match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** A message as the formats of mail programs hold it. */
export interface Message extends MessageBody {
  /** What is shown of its headers, in this order. */
  headers: [name: string, value: string | undefined][]
  subject: string | undefined
  attachments: MessageAttachment[]
  /** A sentence about what of it isn't read. */
  note?: string | undefined
}

/** Who, when and what about, the text, and its attachments as files of their own. */
export async function messageDocument(
  { headers, subject, body, isCut, hasMore, attachments, note = '' }: Message,
  limits: ParseLimits,
  parseInner: ParseInner | undefined,
): Promise<ParsedDocument> {
  const inside = await readInside(attachments.slice(0, maxAttachments), limits, parseInner)
  const text = [headerLines(headers), body, attachmentLines(attachments, inside.outcomes)].filter(Boolean).join('\n\n')
  const message = { unit: 'section' as const, number: 1, ...(subject ? { name: subject } : {}), text }
  const parts = new Parts(limits)
  for (const [index, part] of [message, ...inside.parts].entries())
    if (!parts.add({ ...part, number: index + 1 })) break
  if (isCut) parts.cut()
  const notes = [
    note,
    hasMore ? 'Only its plain text is read. It also has a page (HTML), which says more.' : '',
    attachmentNote(attachments.length, inside.outcomes.filter(({ isRead }) => isRead).length),
    text === '' ? 'It contains no text.' : '',
    ...inside.notes,
    ...parts.notes(),
  ]
  return { kind: 'email', notes: notes.filter(Boolean), parts: parts.list }
}

const attachmentNote = (count: number, read: number): string => {
  if (count === 0) return ''
  if (read === 0) return 'Its attachments are listed, not read.'
  const which =
    count === 1
      ? 'Its attachment is'
      : read === count
        ? 'Its attachments are'
        : `${read.toLocaleString('en')} of its ${count.toLocaleString('en')} attachments are`
  return `${which} read too, ${howToRead}`
}

function headerLines(headers: Message['headers']): string {
  return (
    headers
      .filter(([, value]) => value)
      .map(([name, value]) => `${name}: ${oneLine(value ?? '')}`)
      // A line end that Markdown keeps.
      .join('  \n')
  )
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function attachmentLines(list: MessageAttachment[], outcomes: ReadInside['outcomes']): string {
  if (list.length === 0) return ''
  const lines = list.slice(0, maxAttachments).map(({ name, mimeType, size }, index) => {
    const why = outcomes[index]?.why
    return `- ${name} (${mimeType}, ${size.toLocaleString('en')} bytes)${why === undefined ? '' : `: not read, ${why}`}`
  })
  if (list.length > maxAttachments) lines.push(`… and ${list.length - maxAttachments} more`)
  return ['Attachments:', ...lines].join('\n')
}
