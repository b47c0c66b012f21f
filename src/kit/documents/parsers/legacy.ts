import WordExtractor from 'word-extractor'
import { decrypt } from '../decrypt.ts'
import type { ParsedDocument } from '../document.ts'
import { openOle } from '../ole.ts'
import { damaged, notReadable, type ParseLimits, type Parser, Parts, passwordNeeded } from '../parse.ts'

/** Kinds that are recognised by the name of one of their streams. */
const unreadable: { stream: RegExp; what: string; convert: string }[] = [
  { stream: /^encryptedpackage$/i, what: 'protected in an unusual way', convert: 'Ask for it without a password.' },
  {
    stream: /^worddocument$/i,
    what: 'a Word document from an unusual program',
    convert: 'Ask for it as .docx or PDF.',
  },
  { stream: /^VisioDocument$/, what: 'an old Visio drawing (.vsd)', convert: 'Ask for it as a PDF.' },
  {
    stream: /HwpSummaryInformation$/,
    what: 'a Hangul document (.hwp)',
    convert: 'Ask for it as .docx or PDF.',
  },
  {
    stream: /^\u4840/,
    what: 'a Windows installer (.msi)',
    convert: 'Ask what to do with it: it contains programs, not text.',
  },
  {
    stream: /^PP40$|^PP97_DUALSTORAGE$/,
    what: 'a PowerPoint presentation from before 1997',
    convert: 'Ask for it as .pptx or PDF.',
  },
  { stream: /^Props\d*$|^\s+1(14|9)$/, what: 'a Microsoft Project plan (.mpp)', convert: 'Ask for it as a PDF.' },
  { stream: /^(MatOST|MM)$/, what: 'a Works document', convert: 'Ask for it as .docx or PDF.' },
  { stream: /^(CONTENTS|Quill)$/, what: 'a Publisher or Works document', convert: 'Ask for it as a PDF.' },
]

/** Files in an OLE container, such as old Word documents. */
export const parseLegacy: Parser = async (file, limits, parseInner) => {
  const { bytes, password } = file
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ole = openOle(buffer)
  const names = [...ole.outer]
  if (names.includes('WordDocument')) return readWord(buffer, password, limits)
  if (names.some((name) => /^(workbook|book)$/i.test(name))) {
    const { parseBinaryWorkbook } = await import('./xls.ts')
    return parseBinaryWorkbook(file, limits)
  }
  if (names.includes('PowerPoint Document')) {
    const { parsePpt } = await import('./ppt.ts')
    return parsePpt(ole, limits)
  }
  if (names.includes('__properties_version1.0')) {
    const { parseOutlook } = await import('./outlook.ts')
    return parseOutlook(file, limits, parseInner)
  }
  const known = unreadable.find(({ stream }) => names.some((name) => stream.test(name)))
  throw notReadable(known?.what ?? 'a file of an old Windows program', known?.convert ?? 'Ask for another format.')
}

/** The mark of an encrypted document in the fixed beginning of its main stream. */
const encryptedFlag = 0x0100

async function readWord(bytes: Buffer, password: string | undefined, limits: ParseLimits): Promise<ParsedDocument> {
  const flags = wordFlags(bytes)
  if (flags !== undefined && (flags & encryptedFlag) !== 0) {
    if (!password) throw passwordNeeded()
    return textOfWord(await decrypt(bytes, password), limits)
  }
  return textOfWord(bytes, limits)
}

/** The main stream starts at a sector's beginning with its own number, and has its flags ten bytes later. */
function wordFlags(bytes: Buffer): number | undefined {
  for (let at = 512; at + 12 <= bytes.length; at += 512) {
    if (bytes.readUInt16LE(at) === 0xa5ec) return bytes.readUInt16LE(at + 10)
  }
  return undefined
}

async function textOfWord(bytes: Buffer, limits: ParseLimits): Promise<ParsedDocument> {
  const document = await extract(bytes)
  const parts = new Parts(limits)
  const sections: [string | undefined, string][] = [
    [undefined, document.getBody()],
    ['Footnotes', document.getFootnotes()],
    ['Endnotes', document.getEndnotes()],
    ['Comments', document.getAnnotations()],
    ['Text boxes', document.getTextboxes({ includeHeadersAndFooters: false })],
    ['Headers and footers', document.getHeaders()],
  ]
  for (const [name, text] of sections) {
    const tidy = tidied(text)
    if (tidy === '') continue
    if (!parts.add({ unit: 'section', number: parts.list.length + 1, ...(name ? { name } : {}), text: tidy })) break
  }
  const notes = [
    'An old Word document (.doc): tables and headings are read as plain lines.',
    ...parts.emptiness(),
    ...parts.notes(),
  ]
  return { kind: 'legacy', notes, parts: parts.list }
}

async function extract(bytes: Buffer): ReturnType<InstanceType<typeof WordExtractor>['extract']> {
  try {
    return await new WordExtractor().extract(bytes)
  } catch (thrown) {
    if (thrown instanceof Error && /magic number: (a5d[bc]|a69[789])/i.test(thrown.message)) {
      throw notReadable('a Word document from before 1997', 'Ask for it as .docx: in Word, File, Save As.')
    }
    throw damaged('its text cannot be found', thrown)
  }
}

const tidied = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Word's marks of pictures, fields and notes.
    .replace(/[\x00-\x08\x0b-\x1f]/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
