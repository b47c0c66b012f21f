import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { ParsedDocument } from '../document.ts'
import { type Hand, type ParseLimits, type Parser, Parts } from '../parse.ts'
import { annotationsOf, type FormField, fieldLines, newFields } from './pdf/annotations.ts'
import { factsOf, labelsOf } from './pdf/facts.ts'
import { imageNotes, imagesIn, isMute, isStuck } from './pdf/flaws.ts'
import { seenOn } from './pdf/glyphs.ts'
import { openPdf } from './pdf/open.ts'
import { pageText } from './pdf/page.ts'
import { isPictured } from './pdf/pictures.ts'
import { rulingsOn } from './pdf/rulings.ts'
import { TypeSizes } from './pdf/sizes.ts'

/** After this many pages the library forgets the fonts and tables that it has kept. */
const pagesKept = 200

/** Characters: a page with more isn't looked at for pictures, which takes as long as reading it. */
const mostBesidePictures = 2000

/** The share of a file's time that reading may take; the rest is for what follows. */
const shareOfTime = 0.6

const cutOff = 'The end of the file is missing: what stood there, perhaps the text of whole pages, was left out.'

/** One part per page. A page that can't be read is an empty part, with a note. */
export const parsePdf: Parser = async (file, limits, _, hand) => {
  const { pdf, isCutOff } = await openPdf(file)
  try {
    const images = imagesIn(file.bytes)
    const { hasText, pictured, silent, ...document } = await read(pdf, limits, images, hand)
    const notes = [...picturedNotes(pictured), ...(hasText ? imageNotes(images, pictured.length + silent.length) : [])]
    return { ...document, notes: [...document.notes, ...notes, ...(isCutOff ? [cutOff] : [])] }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** `images`: how many there are in the file. No more pages than that have one of their own. */
async function read(
  pdf: PDFDocumentProxy,
  limits: ParseLimits,
  images: number,
  hand: Hand | undefined,
): Promise<ParsedDocument & { hasText: boolean; pictured: number[]; silent: number[] }> {
  const [facts, labels] = await Promise.all([factsOf(pdf), labelsOf(pdf)])
  const parts = new Parts(limits)
  const sizes = new TypeSizes()
  const known = new Map<string, boolean>()
  const [silent, failed, stuck, mute]: [number[], number[], number[], number[]] = [[], [], [], []]
  const pictured: number[] = []
  let until = performance.now() + (limits.parseMs ?? Number.POSITIVE_INFINITY) * shareOfTime
  let isSlow = false
  for (let number = 1; number <= pdf.numPages; number++) {
    isSlow = performance.now() > until
    if (isSlow) break
    const page = await readPage(pdf, number, sizes, silent.length + pictured.length < images)
    if (page === undefined) failed.push(number)
    if (page !== undefined && isStuck(page.text)) stuck.push(number)
    if (page?.isMute) mute.push(number)
    const name = labels[number - 1]
    const pieces = page === undefined ? [] : [page.text, fieldLines(newFields(page.fields, known)), ...page.comments]
    const text = pieces.filter((piece) => piece !== '').join('\n\n')
    if (page !== undefined && text === '') silent.push(number)
    // All that it says may have been added to a scan: a comment, or a date in a field.
    const isPictured = text !== '' && (page?.isPictured === true || page?.text === '')
    const part = { unit: 'page' as const, number, ...(name === undefined ? {} : { name }), text }
    const isToBeDrawn = isPictured || (page?.isMute === true && text !== '')
    if (!parts.add({ ...part, ...(isToBeDrawn ? { isPictured: true } : {}) })) break
    if (isPictured) pictured.push(number)
    if (hand !== undefined && parts.isPortion && number < pdf.numPages) {
      const from = performance.now()
      await parts.hand(hand, pdf.numPages)
      until += performance.now() - from
    }
    if (number % pagesKept === 0) await pdf.cleanup()
  }
  const notes = [
    ...facts,
    ...fieldNotes(known.size),
    ...silentNotes(silent),
    ...stuckNotes(stuck),
    ...muteNotes(mute),
    ...failedNotes(failed),
    ...parts.notes(),
  ]
  if (isSlow) notes.push(slowNote(parts.count, pdf.numPages))
  return { kind: 'pdf', notes, parts: parts.list, hasText: parts.hasText, pictured, silent }
}

interface ReadPage {
  text: string
  comments: string[]
  fields: Map<string, FormField>
  isPictured: boolean
  isMute: boolean
}

/** Undefined if the page is damaged. */
async function readPage(
  pdf: PDFDocumentProxy,
  number: number,
  sizes: TypeSizes,
  mayBePictured: boolean,
): Promise<ReadPage | undefined> {
  let page: PDFPageProxy | undefined
  try {
    page = await pdf.getPage(number)
    const viewport = page.getViewport({ scale: 1 })
    const content = await page.getTextContent({ disableNormalization: true })
    const { links, ...written } = annotationsOf(await page.getAnnotations().catch(() => []), viewport)
    const seen = await seenOn(page, content).catch(() => new Map())
    const shown = page
    const rulings = () => rulingsOn(shown, viewport)
    const text = await pageText({ content, seen, viewport, links, rulings }, sizes)
    const isShort = text !== '' && text.length <= mostBesidePictures
    const isAside = mayBePictured && isShort && (await isPictured(page, viewport, content))
    const strings = content.items.map((item) => ('str' in item ? item.str : ''))
    return { text, ...written, isPictured: isAside, isMute: isMute(strings) }
  } catch {
    // Whatever the reason, the other pages may be readable; the note mentions this one.
    return undefined
  } finally {
    page?.cleanup()
  }
}

const fieldNotes = (count: number): string[] =>
  count === 0 ? [] : ['It is a form: the values of its fields stand below the text of their pages.']

const silentNotes = (pages: number[]): string[] => {
  if (pages.length === 0) return []
  return [
    pages.length === 1
      ? `Page ${pages[0]} has no text: it is probably scanned.`
      : `Pages ${listOf(pages)} have no text: they are probably scanned.`,
  ]
}

const picturedNotes = (pages: number[]): string[] => {
  if (pages.length === 0) return []
  return [
    pages.length === 1
      ? `Page ${pages[0]} shows a picture beside its text: what is written in it was not read.`
      : `Pages ${listOf(pages)} show pictures beside their text: what is written in them was not read.`,
  ]
}

const stuckNotes = (pages: number[]): string[] => {
  if (pages.length === 0) return []
  const where = pages.length === 1 ? `page ${pages[0]}` : `pages ${listOf(pages)}`
  return [`On ${where}, words stick together: the file has no spaces between them.`]
}

const muteNotes = (pages: number[]): string[] => {
  if (pages.length === 0) return []
  const where = pages.length === 1 ? `page ${pages[0]}` : `pages ${listOf(pages)}`
  return [
    `On ${where}, a font doesn’t say which letters it shows: text there that was not recognized from a picture is wrong.`,
  ]
}

const failedNotes = (pages: number[]): string[] => {
  if (pages.length === 0) return []
  return [
    pages.length === 1
      ? `Page ${pages[0]} is damaged: its text was left out.`
      : `Pages ${listOf(pages)} are damaged: their text was left out.`,
  ]
}

const slowNote = (read: number, all: number): string =>
  `Reading it takes long: only the first ${read} of ${all} pages were read, and the rest was left out.`

/** "3, 5 to 9 and 12". */
function listOf(pages: number[]): string {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last?.[1] === page - 1) last[1] = page
    else ranges.push([page, page])
  }
  const words = ranges.flatMap(([from, to]) =>
    to - from > 1 ? [`${from} to ${to}`] : to > from ? [`${from}`, `${to}`] : [`${from}`],
  )
  const shown = words.length > 20 ? [...words.slice(0, 20), `${words.length - 20} more ranges`] : words
  return shown.length === 1 ? `${shown[0]}` : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
