import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { damaged, type Parser, Parts } from '../parse.ts'
import { markdownOfHtml } from './html.ts'

/** The most attachments that are listed; the rest is counted. */
const maxAttachments = 200

/** A message: who, when and what about, its text, and the names of its attachments. Throws `damaged`. */
export const parseEmail: Parser = async ({ bytes }, limits) => {
  const email = await read(bytes)
  if (email.headers.length === 0) throw damaged('it has no message headers')
  const html = email.html?.slice(0, limits.textCharacters * 2)
  const body = email.text?.trim() || (html === undefined ? '' : markdownOfHtml(html))
  const text = [headers(email), body, attachments(email.attachments)].filter(Boolean).join('\n\n')
  const parts = new Parts(limits)
  parts.add({ unit: 'section', number: 1, ...(email.subject ? { name: email.subject } : {}), text })
  const notes = email.attachments.length > 0 ? ['Its attachments are listed, not read.'] : []
  if (text === '') notes.push('It contains no text.')
  return { kind: 'email', notes: [...notes, ...parts.notes()], parts: parts.list }
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

function attachments(list: Attachment[]): string {
  if (list.length === 0) return ''
  const lines = list.slice(0, maxAttachments).map(({ filename, mimeType, content }) => {
    const size = typeof content === 'string' ? content.length : content.byteLength
    return `- ${oneLine(filename ?? 'unnamed')} (${mimeType}, ${size.toLocaleString('en')} bytes)`
  })
  if (list.length > maxAttachments) lines.push(`… and ${list.length - maxAttachments} more`)
  return ['Attachments:', ...lines].join('\n')
}
