import { z } from 'zod'
import { oneLine } from '../text/text.ts'
import type { WebPage } from '../web/port.ts'
import type { Batch } from './chunks/batches.ts'
import type { Drawn, Failed, Paged } from './read-request.ts'

// A document may have taken over its reader, so everything that a reader sends is checked again.

const kinds = [
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'csv',
  'odf',
  'rtf',
  'email',
  'html',
  'notebook',
  'contact',
  'calendar',
  'epub',
  'archive',
  'image',
  'legacy',
] as const
const place = z.int().min(0)

const head = z.strictObject({
  kind: z.enum(kinds),
  notes: z.array(z.string().max(20_000)).max(20_000),
  languages: z.array(z.string().regex(/^[a-z]{2,20}$/)).max(30),
  expected: place.optional(),
})
const part = z.strictObject({
  unit: z.enum(['page', 'sheet', 'slide', 'section']),
  number: z.int(),
  name: z.string().max(500).optional(),
  isPictured: z.literal(true).optional(),
  isHidden: z.literal(true).optional(),
})
const text = z.strictObject({ part: place, field: z.enum(['text', 'formulas']), text: z.string() })
const chunk = z.strictObject({
  part: place,
  start: place,
  end: place,
  cells: z.string().max(100).optional(),
  words: z.string(),
  segments: z.string(),
})
/** Whoever searches its lines relies on both line ends. */
const block = z.string().max(100_000).startsWith('\n').endsWith('\n')

const batch = z.strictObject({
  head: head.optional(),
  parts: z.array(part),
  texts: z.array(text),
  chunks: z.array(chunk),
  vocabulary: z.array(block),
  endsPortion: z.boolean().optional(),
  isLast: z.boolean(),
})
const failed = z.strictObject({
  error: z.strictObject({
    code: z.enum(['damaged', 'too_complex', 'password_needed', 'password_wrong', 'not_readable']),
    message: z.string(),
    remedy: z.string(),
  }),
})
const paged = z.strictObject({
  webPage: z.strictObject({ title: z.string(), markdown: z.string(), isCut: z.boolean() }),
})

/** Throws if it isn't an answer about a file. */
export function answerToFile(message: unknown): Batch | Failed {
  if (!isObject(message) || !('error' in message)) return batch.parse(message) as Batch
  const { error } = failed.parse(message)
  return { error: { code: error.code, message: oneLine(error.message, 500), remedy: oneLine(error.remedy, 500) } }
}

/** Throws if it isn't an answer about a page. */
export function answerToPage(message: unknown, mostCharacters: number): Paged | Failed {
  if (isObject(message) && 'error' in message) return answerToFile(message) as Failed
  const { title, markdown, isCut } = paged.parse(message).webPage
  const webPage: WebPage = { title: oneLine(title, 500), markdown: markdown.slice(0, mostCharacters), isCut }
  return { webPage }
}

const drawn = z.strictObject({ isPicture: z.literal(true) })

/** Throws if it isn't an answer about a picture. What it shows is looked at by others. */
export function answerToPicture(message: unknown, picture: Uint8Array): Drawn | Failed {
  if (isObject(message) && 'error' in message) return answerToFile(message) as Failed
  drawn.parse(message)
  return { picture }
}

const isObject = (message: unknown): message is object => typeof message === 'object' && message !== null
