import { isUtf8 } from 'node:buffer'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { decodeText } from '../../text/encoding.ts'
import { damaged, type Parser } from '../parse.ts'
import { markdownOfHtml } from './html.ts'
import { type MessageAttachment, messageDocument, oneLine } from './message.ts'

/** A message: who, when and what about, its text, and its attachments as files of their own. Throws `damaged`. */
export const parseEmail: Parser = async ({ bytes }, limits, parseInner) => {
  const email = await read(bytes)
  if (email.headers.length === 0) throw damaged('it has no message headers')
  const html = email.html?.slice(0, limits.textCharacters * 2)
  const body = email.text?.trim() || (html === undefined ? '' : markdownOfHtml(html))
  const attachments = email.attachments.map(attachmentOf)
  return messageDocument({ headers: headers(email), subject: email.subject, body, attachments }, limits, parseInner)
}

function attachmentOf({ filename, mimeType, content }: Attachment): MessageAttachment {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  return { name: oneLine(filename ?? 'unnamed'), mimeType, size: bytes.length, read: async () => bytes }
}

async function read(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(inUtf8(bytes), { maxNestingDepth: 50 })
  } catch (thrown) {
    throw damaged('it isn’t a complete message', thrown)
  }
}

/** A message that names no encoding, and isn't in the usual one. */
function inUtf8(bytes: Uint8Array): Uint8Array {
  if (isUtf8(bytes) || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('charset')) return bytes
  return Buffer.from(decodeText(bytes).text)
}

const headers = (email: Email): [string, string | undefined][] => [
  ['From', email.from && addresses([email.from])],
  ['To', email.to && addresses(email.to)],
  ['Cc', email.cc && addresses(email.cc)],
  // As it was written: in the sender's own time.
  ['Date', email.headers.find(({ key }) => key === 'date')?.value ?? email.date],
  ['Subject', email.subject],
]

const addresses = (list: Address[]): string => list.map(address).join(', ')

function address(one: Address): string {
  if (one.group !== undefined) return `${one.name}: ${addresses(one.group)}`
  return one.name === '' ? (one.address ?? '') : `${one.name} <${one.address ?? ''}>`
}
