import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { damaged, type Parser, Parts } from '../parse.ts'
import { markdownOfHtml } from './html.ts'
import { howToRead, type InnerFile, type ReadInside, readInside } from './inside.ts'

/** The most attachments that are listed; the rest is counted. */
const maxAttachments = 200

/** A message: who, when and what about, its text, and its attachments as files of their own. Throws `damaged`. */
export const parseEmail: Parser = async ({ bytes }, limits, parseInner) => {
  const email = await read(bytes)
  if (email.headers.length === 0) throw damaged('it has no message headers')
  const html = email.html?.slice(0, limits.textCharacters * 2)
  const body = email.text?.trim() || (html === undefined ? '' : markdownOfHtml(html))
  const inside = await readInside(email.attachments.slice(0, maxAttachments).map(innerFile), limits, parseInner)
  const text = [headers(email), body, attachments(email.attachments, inside.outcomes)].filter(Boolean).join('\n\n')
  const message = { unit: 'section' as const, number: 1, ...(email.subject ? { name: email.subject } : {}), text }
  const parts = new Parts(limits)
  for (const [index, part] of [message, ...inside.parts].entries())
    if (!parts.add({ ...part, number: index + 1 })) break
  const notes = [
    attachmentNote(email.attachments.length, inside.outcomes.filter(({ isRead }) => isRead).length),
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

const nameOf = ({ filename }: Attachment): string => oneLine(filename ?? 'unnamed')

const innerFile = (attachment: Attachment): InnerFile => {
  const { content } = attachment
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  return { name: nameOf(attachment), size: bytes.length, read: async () => bytes }
}

async function read(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: 50 })
  } catch (thrown) {
    throw damaged('it isn’t a complete message', thrown)
  }
}

function headers(email: Email): string {
  const lines: [string, string | undefined][] = [
    ['From', email.from && addresses([email.from])],
    ['To', email.to && addresses(email.to)],
    ['Cc', email.cc && addresses(email.cc)],
    // As it was written: in the sender's own time.
    ['Date', email.headers.find(({ key }) => key === 'date')?.value ?? email.date],
    ['Subject', email.subject],
  ]
  return (
    lines
      .filter(([, value]) => value)
      .map(([name, value]) => `${name}: ${oneLine(value ?? '')}`)
      // A line end that Markdown keeps.
      .join('  \n')
  )
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const addresses = (list: Address[]): string => list.map(address).join(', ')

function address(one: Address): string {
  if (one.group !== undefined) return `${one.name}: ${addresses(one.group)}`
  return one.name === '' ? (one.address ?? '') : `${one.name} <${one.address ?? ''}>`
}

function attachments(list: Attachment[], outcomes: ReadInside['outcomes']): string {
  if (list.length === 0) return ''
  const lines = list.slice(0, maxAttachments).map((attachment, index) => {
    const { mimeType, content } = attachment
    const why = outcomes[index]?.why
    const size = typeof content === 'string' ? content.length : content.byteLength
    return `- ${nameOf(attachment)} (${mimeType}, ${size.toLocaleString('en')} bytes)${why === undefined ? '' : `: not read, ${why}`}`
  })
  if (list.length > maxAttachments) lines.push(`… and ${list.length - maxAttachments} more`)
  return ['Attachments:', ...lines].join('\n')
}
