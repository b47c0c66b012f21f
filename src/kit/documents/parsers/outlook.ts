import { createRequire } from 'node:module'
import { decompressRTF } from '@kenjiuno/decompressrtf'
import type { FieldsData, default as msgReader, ParserConfig } from '@kenjiuno/msgreader'
import PostalMime from 'postal-mime'
import { decodeText } from '../../text/encoding.ts'
import { damaged, isCut, type ParseInner, type ParseLimits, type Parser } from '../parse.ts'
import { otherReplyTo } from './email.ts'
import { bodyOfBoth, type MessageAttachment, type MessageBody, messageDocument, oneLine } from './message.ts'
import { encodingOfPage } from './rtf/charsets.ts'
import { parseRtf } from './rtf.ts'

// A module of the older kind, whose default is found in different places by different loaders.
const { default: MsgReader } = createRequire(import.meta.url)('@kenjiuno/msgreader') as typeof msgReader
type Reader = InstanceType<typeof MsgReader>

/** A message as Outlook saves it (.msg). Its chains of sectors must have been checked. Throws `damaged`. */
export const parseOutlook: Parser = async ({ bytes }, limits, parseInner) => {
  const { reader, fields } = open(bytes)
  const kind = /^IPM\.(\w+)/i.exec(fields.messageClass ?? '')?.[1]?.toLowerCase() ?? ''
  const message = {
    headers: [...(kind === 'contact' ? contactFacts(fields) : []), ...(await headers(fields, kind))],
    subject: fields.subject,
    ...(await bodyOf(fields, limits, parseInner)),
    attachments: (fields.attachments ?? []).map((attachment) => attachmentOf(reader, attachment)),
    note: fields.apptRecur === undefined ? kindNotes.get(kind) : repeatingNote,
  }
  return messageDocument(message, limits, parseInner)
}

/** Of things that aren't messages. */
const kindNotes = new Map([
  [
    'contact',
    'It is an Outlook contact. Only its main fields are shown, the others are not read: for those, ask for it as .vcf.',
  ],
  ['task', 'It is an Outlook task. Its dates and its status are not read: ask when it is due.'],
])

const repeatingNote = 'It is an appointment that repeats. When it does is not read: ask for it as .ics.'

const contactFacts = (fields: FieldsData): [string, string | undefined][] => [
  ['Organisation', fields.companyName],
  ['Title', fields.title],
  ['Email', fields.email1EmailAddress],
  ['Phone', fields.businessTelephoneNumber],
  ['Mobile', fields.mobileTelephoneNumber],
  ['Home', fields.homeTelephoneNumber],
  ['Address', fields.workAddress ?? fields.postalAddress],
]

interface Opened {
  reader: Reader
  fields: FieldsData
}

const oldText = 0x1e
const western = 1252

/** Only after all is read once is it known in which encoding texts are that aren't Unicode. */
function open(bytes: Uint8Array): Opened {
  try {
    let isOld = false
    const opened = openWith(bytes, { propertyObserver: (_, tag) => (isOld ||= (tag & 0xffff) === oldText) })
    if (!isOld) return opened
    const page = opened.fields.messageCodepage ?? opened.fields.internetCodepage ?? western
    return openWith(bytes, { ansiEncoding: encodingOfPage(page) })
  } catch (thrown) {
    throw damaged('it isn’t a complete message', thrown)
  }
}

function openWith(bytes: Uint8Array, config: ParserConfig): Opened {
  const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  reader.parserConfig = config
  const fields = reader.getFileData()
  if (fields.error !== undefined) throw new Error(fields.error)
  return { reader, fields }
}

async function headers(fields: FieldsData, kind: string): Promise<[string, string | undefined][]> {
  const people = (type: string): string =>
    (fields.recipients ?? [])
      .filter(({ recipType }) => recipType === type)
      .map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email))
      .join(', ')
  const sender = fields.senderSmtpAddress ?? fields.sentRepresentingSmtpAddress ?? fields.senderEmail
  return [
    ['From', person(fields.senderName, sender)],
    ['To', people('to')],
    ['Cc', people('cc')],
    // Those of an appointment are its rooms.
    ['Bcc', ['appointment', 'schedule'].includes(kind) ? undefined : people('bcc')],
    ['Reply-To', await replyToIn(fields.headers, sender)],
    ['Begins', fields.apptStartWhole],
    ['Ends', fields.apptEndWhole],
    ['Place', fields.apptLocation],
    // As it was written: in the sender's own time, if it came through the internet.
    ['Date', dateIn(fields.headers) ?? fields.clientSubmitTime ?? fields.messageDeliveryTime],
    ['Subject', fields.subject],
  ]
}

const dateIn = (headers: string | undefined): string | undefined => /^date:\s*(.+)$/im.exec(headers ?? '')?.[1]

const longestHeader = 100_000

async function replyToIn(headers = '', sender: string | undefined): Promise<string | undefined> {
  const header = /^reply-to:.*(?:\r?\n[ \t].*)*/im.exec(headers)?.[0].slice(0, longestHeader)
  return header && otherReplyTo(await PostalMime.parse(`${header}\r\n\r\n`), sender)
}

/** Addresses within a company's Exchange are paths of its directory, which say nothing. */
function person(name = '', address = ''): string {
  if (!address.includes('@') || address === name) return name || address
  return name === '' ? address : `${name} <${address}>`
}

async function bodyOf(
  { body, bodyHtml, html, compressedRtf }: FieldsData,
  limits: ParseLimits,
  parseInner: ParseInner | undefined,
): Promise<MessageBody> {
  const plain = body?.trim() ?? ''
  const page = bodyHtml ?? (html === undefined ? undefined : decodeText(html).text)
  if (plain !== '' || page !== undefined || compressedRtf === undefined) return bodyOfBoth(plain, page ?? '', limits)
  const most = limits.textCharacters * 2
  const bytes = Uint8Array.from(decompressRTF([...compressedRtf.subarray(0, most)]))
  const { parts, notes } = await parseRtf({ name: 'body.rtf', bytes }, limits, parseInner)
  return { body: parts.map(({ text }) => text).join('\n\n'), isCut: isCut(notes) || compressedRtf.length > most }
}

/** A message in it is put together again as a file of its own when it is read. */
function attachmentOf(reader: Reader, attachment: FieldsData): MessageAttachment {
  const isMessage = attachment.innerMsgContent === true
  const named = attachment.fileName ?? attachment.fileNameShort ?? attachment.name ?? 'unnamed'
  const name = oneLine(isMessage && !/\.msg$/i.test(named) ? `${named}.msg` : named)
  return {
    name,
    mimeType: isMessage ? 'application/vnd.ms-outlook' : (attachment.attachMimeTag ?? 'application/octet-stream'),
    size: attachment.contentLength ?? 0,
    read: async () => reader.getAttachment(attachment).content,
  }
}
