import { openOle } from '../ole.ts'
import { notReadable, type Parser } from '../parse.ts'

/** Kinds that are recognised by the name of one of their streams. */
const unreadable: { stream: RegExp; what: string; convert: string }[] = [
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
  if (names.some((name) => /^worddocument$/i.test(name))) {
    const { parseDoc } = await import('./doc.ts')
    return parseDoc(buffer, password, limits)
  }
  if (names.some((name) => /^(workbook|book)$/i.test(name))) {
    const { parseBinaryWorkbook } = await import('./xls.ts')
    return parseBinaryWorkbook(file, limits, ole.read('Workbook'))
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
