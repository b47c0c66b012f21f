import { isUtf8 } from 'node:buffer'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { decodeText } from '../../text/encoding.ts'
import { damaged, type Parser } from '../parse.ts'
import { bodyOfBoth, type MessageAttachment, messageDocument, oneLine } from './message.ts'

/** A message: who, when and what about, its text, and its attachments as files of their own. Throws `damaged`. */
export const parseEmail: Parser = async ({ bytes }, limits, parseInner) => {
  const email = await read(bytes)
  if (email.headers.length === 0) throw damaged('it has no message headers')
  const body = bodyOfBoth(email.text?.trim() ?? '', email.html ?? '', limits)
  const message = { headers: headers(email), subject: email.subject, ...body, attachments: attachmentsOf(email) }
  return messageDocument(message, limits, parseInner)
}

function attachmentsOf({ attachments }: Email): MessageAttachment[] {
  let messages = 0
  return attachments.map(({ filename, mimeType, content }) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
    const isMessage = mimeType === 'message/rfc822'
    if (isMessage) messages++
    const named = filename ?? (isMessage ? `message${messages === 1 ? '' : ` ${messages}`}` : 'unnamed')
    const name = oneLine(isMessage && !/\.eml$/i.test(named) ? `${named}.eml` : named)
    return { name, mimeType, size: bytes.length, read: async () => bytes }
  })
}

async function read(bytes: Uint8Array): Promise<Email> {
  try {
    const shown = inUtf8(bytes)
    const email = await parsed(withRealCharsets(shown))
    // It wasn't UTF-8 after all.
    return `${email.text ?? ''}${email.html ?? ''}`.includes('\ufffd') ? await parsed(shown) : email
  } catch (thrown) {
    throw damaged('it isn’t a complete message', thrown)
  }
}

/** Messages in it stay files of their own: within its text, their dates would be in our time. */
const parsed = (bytes: Uint8Array): Promise<Email> =>
  PostalMime.parse(bytes, { maxNestingDepth: 50, forceRfc822Attachments: true })

const contentType = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim
const noCharset = /(charset\s*=\s*"?)(?:us-ascii|ascii|ansi_x3\.4-1968|unknown-8bit|x-unknown)\b/i

/** Programs that don't know an encoding write that it is ASCII; what isn't is mostly UTF-8. */
function withRealCharsets(bytes: Uint8Array): Uint8Array {
  const text = bufferOf(bytes).toString('latin1')
  const real = text.replace(contentType, (header) => header.replace(noCharset, '$1utf-8'))
  return real === text ? bytes : Buffer.from(real, 'latin1')
}

/** A message that isn't in UTF-8: all of it if it names no encoding, otherwise only the headers, as none is theirs. */
function inUtf8(bytes: Uint8Array): Uint8Array {
  if (isUtf8(bytes)) return bytes
  const buffer = bufferOf(bytes)
  const text = buffer.toString('latin1')
  if (!/charset/i.test(text)) return Buffer.from(decodeText(bytes).text)
  const end = /\r?\n\r?\n/.exec(text)?.index ?? 0
  const head = buffer.subarray(0, end)
  return isUtf8(head) ? bytes : Buffer.concat([Buffer.from(decodeText(head).text), buffer.subarray(end)])
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

const headers = (email: Email): [string, string | undefined][] => [
  ['From', email.from && addresses([email.from])],
  ['To', email.to && addresses(email.to)],
  ['Cc', email.cc && addresses(email.cc)],
  ['Bcc', email.bcc && addresses(email.bcc)],
  ['Reply-To', otherReplyTo(email, email.from?.address)],
  // As it was written: in the sender's own time.
  ['Date', email.headers.find(({ key }) => key === 'date')?.value ?? email.date],
  ['Subject', email.subject],
]

/** Where replies go, if not to the sender. */
export function otherReplyTo({ replyTo = [] }: Email, sender = ''): string | undefined {
  const isSender = ({ address }: Address): boolean => address?.toLowerCase() === sender.toLowerCase()
  return replyTo.every(isSender) ? undefined : addresses(replyTo)
}

const addresses = (list: Address[]): string => list.map(address).join(', ')

function address(one: Address): string {
  if (one.group !== undefined) return `${one.name}: ${addresses(one.group)}`
  return one.name === '' ? (one.address ?? '') : `${one.name} <${one.address ?? ''}>`
}
