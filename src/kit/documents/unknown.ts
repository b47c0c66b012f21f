import { fileTypeFromBuffer } from 'file-type'
import type { Failure } from '../failure.ts'
import { headBytes, isText } from '../files/type.ts'
import { damaged, notReadable } from './parse.ts'

/** How files of old programs begin: in hexadecimal digits, what they are, and what to ask for. */
const known: [begins: string, what: string, convert: string][] = [
  ['d7cdc69a', 'a vector picture of Windows (WMF)', 'Ask for it as PNG or PDF.'],
  ['01000900', 'a vector picture of Windows (WMF)', 'Ask for it as PNG or PDF.'],
  ['01000000', 'a vector picture of Windows (EMF)', 'Ask for it as PNG or PDF.'],
  ['dba5', 'a Word document from before 1993', 'Ask for it as .docx or PDF.'],
  ['31be0000', 'a document of Windows Write or early Word', 'Ask for it as .docx or PDF.'],
  ['9ba5', 'a document of early Word', 'Ask for it as .docx or PDF.'],
  ['ff575043', 'a WordPerfect document', 'Ask for it as .docx or PDF.'],
  ['0900', 'an Excel workbook from before 1993', 'Ask for it as .xlsx: in Excel, File, Save As.'],
  ['0902', 'an Excel workbook from before 1993', 'Ask for it as .xlsx: in Excel, File, Save As.'],
  ['0904', 'an Excel workbook from before 1993', 'Ask for it as .xlsx: in Excel, File, Save As.'],
  ['0000020006040600', 'a Lotus 1-2-3 sheet', 'Ask for it as .xlsx or CSV.'],
  ['789f3e22', 'an Outlook attachment (winmail.dat)', 'Ask for the files as they are, or as .zip.'],
  ['2142444e', 'an Outlook mail folder (.pst)', 'Ask for single messages as .eml.'],
  ['000100005374616e64617264', 'an Access database', 'Ask for its tables as .xlsx or CSV.'],
  ['53514c69746520666f726d6174', 'an SQLite database', 'Ask for its tables as .xlsx or CSV.'],
  ['41542654464f524d', 'a DjVu document', 'Ask for it as a PDF.'],
]

/** What to say about a file that can't be read. */
export async function unknownFile(bytes: Uint8Array): Promise<Failure> {
  const head = bytes.subarray(0, headBytes)
  if (bytes.length === 0) return notReadable('an empty file', 'Ask for it again: it has not arrived.')
  if (bytes.every((byte) => byte === 0)) return damaged('it contains only zeros')
  const digits = Buffer.from(head.subarray(0, 16)).toString('hex')
  const [, what, convert] = known.find(([begins]) => digits.startsWith(begins)) ?? []
  if (what !== undefined && convert !== undefined) return notReadable(what, convert)
  if (isText(head)) return notReadable('plain text, not a document', 'Read it as a text file.')
  const type = await fileTypeFromBuffer(head).catch(() => undefined)
  const kind = type === undefined ? 'a file of an unknown kind' : `a file of the type ${type.mime}`
  return notReadable(kind, 'Ask what it is, or for another format.')
}
