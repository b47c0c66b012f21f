import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { z } from 'zod'

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>
type Destination = string | unknown[] | null

const mostEntries = 100
const mostAttachments = 100
const mostLayers = 20
const deepestOutline = 10

/** Facts about the whole document, each a sentence. Damaged ones are left out. */
export async function factsOf(pdf: PDFDocumentProxy): Promise<string[]> {
  const [title, outline, attachments, layers] = await Promise.all([
    informationOf(pdf).catch(() => []),
    outlineOf(pdf).catch(() => []),
    attachmentsOf(pdf).catch(() => []),
    layersOf(pdf).catch(() => []),
  ])
  return [...title, ...outline, ...attachments, ...layers]
}

/** The names of pages, if they aren't just their numbers. By index. */
export async function labelsOf(pdf: PDFDocumentProxy): Promise<(string | undefined)[]> {
  const labels = await pdf.getPageLabels().catch(() => null)
  return (labels ?? []).map((label, index) => (label === '' || label === `${index + 1}` ? undefined : oneLine(label)))
}

const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed()

const xfa =
  'It contains a form (XFA), of which only the fixed pages are read: for the rest, ask for it printed as a PDF.'

async function informationOf(pdf: PDFDocumentProxy): Promise<string[]> {
  const { info } = await pdf.getMetadata()
  const entries = new Map(Object.entries(info))
  const textOf = (key: string): string => {
    const value: unknown = entries.get(key)
    return typeof value === 'string' ? oneLine(value) : ''
  }
  const [title, author] = [textOf('Title'), textOf('Author')]
  const isXfa = entries.get('IsXFAPresent') === true
  return [
    ...(isXfa ? [xfa] : []),
    ...(title === '' ? [] : [`Its title is "${title}".`]),
    ...(author === '' ? [] : [`Its author is ${author}.`]),
  ]
}

async function outlineOf(pdf: PDFDocumentProxy): Promise<string[]> {
  const outline: Outline | null = await pdf.getOutline()
  const lines: string[] = []
  const add = async (entries: Outline, depth: number): Promise<void> => {
    for (const { title, dest, items } of entries) {
      if (lines.length > mostEntries) return
      const page = await pageOf(pdf, dest)
      lines.push(`${'  '.repeat(depth)}- ${oneLine(title)}${page === undefined ? '' : ` (page ${page})`}`)
      if (depth < deepestOutline) await add(items, depth + 1)
    }
  }
  await add(outline ?? [], 0)
  if (lines.length === 0) return []
  const isCut = lines.length > mostEntries
  return [`Its outline${isCut ? `, the first ${mostEntries} entries` : ''}:\n${lines.slice(0, mostEntries).join('\n')}`]
}

/** The number of the page that an entry leads to, from 1. */
async function pageOf(pdf: PDFDocumentProxy, destination: Destination): Promise<number | undefined> {
  try {
    const explicit = typeof destination === 'string' ? await pdf.getDestination(destination) : destination
    const page: unknown = explicit?.[0]
    if (Number.isInteger(page)) return Number(page) + 1
    if (!isReference(page)) return undefined
    return (await pdf.getPageIndex(page)) + 1
  } catch {
    // A bookmark that leads nowhere is still a title.
    return undefined
  }
}

const isReference = (value: unknown): value is { num: number; gen: number } =>
  typeof value === 'object' && value !== null && 'num' in value && 'gen' in value

async function attachmentsOf(pdf: PDFDocumentProxy): Promise<string[]> {
  const attachments = await pdf.getAttachments()
  if (attachments === null || attachments.size === 0) return []
  const names = [...attachments.values()].slice(0, mostAttachments).map(({ filename }) => oneLine(filename))
  const more = attachments.size > mostAttachments ? `, and ${attachments.size - mostAttachments} more` : ''
  return [`Files are attached to it, which are not read: ${names.join(', ')}${more}.`]
}

/** The library's types know neither what it goes through nor that layers have names. */
const layerSchema = z.tuple([z.unknown(), z.object({ name: z.string().nullish(), visible: z.boolean() })])

async function layersOf(pdf: PDFDocumentProxy): Promise<string[]> {
  const names: string[] = []
  for (const entry of await pdf.getOptionalContentConfig()) {
    const { name, visible } = layerSchema.parse(entry)[1]
    if (!visible) names.push(oneLine(name ?? '') || 'unnamed')
  }
  if (names.length === 0) return []
  const more = names.length > mostLayers ? `, and ${names.length - mostLayers} more` : ''
  const shown = `${names.slice(0, mostLayers).join(', ')}${more}`
  return [
    `It has layers that are switched off (${shown}): nobody sees them on the page, but their text is part of the text here.`,
  ]
}
