import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { z } from 'zod'
import { boxOf, type Link } from './links.ts'

const annotationSchema = z.object({
  subtype: z.string().catch(''),
  fieldName: z.string().optional().catch(undefined),
  fieldType: z.string().nullish().catch(undefined),
  fieldValue: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  alternativeText: z.string().optional().catch(undefined),
  options: z
    .array(z.object({ exportValue: z.string().nullish(), displayValue: z.string().nullish() }))
    .optional()
    .catch(undefined),
  checkBox: z.boolean().optional().catch(undefined),
  radioButton: z.boolean().optional().catch(undefined),
  password: z.boolean().optional().catch(undefined),
  hidden: z.boolean().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  rect: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional().catch(undefined),
  overlaidText: z.string().optional().catch(undefined),
  contentsObj: z.object({ str: z.string() }).optional().catch(undefined),
  textContent: z.array(z.string()).optional().catch(undefined),
  richText: z.object({ str: z.string() }).nullish().catch(undefined),
  titleObj: z.object({ str: z.string() }).optional().catch(undefined),
})

export interface FormField {
  /** What a person reads beside it, if the file says so. */
  label: string
  value: string
}

export interface PageAnnotations {
  /** Lines of Markdown quotes. */
  comments: string[]
  /** By the fields' names. */
  fields: Map<string, FormField>
  links: Link[]
}

const mostLinks = 100

/** In characters. A longer address tells readers nothing. */
const longestAddress = 1000

/** What people wrote on a page, and the values in its form. */
export function annotationsOf(raw: unknown[], viewport: PageViewport): PageAnnotations {
  const comments: string[] = []
  const fields = new Map<string, FormField>()
  const links: Link[] = []
  for (const entry of raw) {
    const parsed = annotationSchema.safeParse(entry)
    if (!parsed.success) continue
    const { subtype, titleObj, overlaidText = '' } = parsed.data
    const struck = subtype === 'StrikeOut' ? struckOut(overlaidText) : []
    const text = [...struck, writtenIn(parsed.data)].filter(Boolean).join(' ')
    if (subtype === 'Widget') addField(fields, parsed.data)
    else if (subtype === 'Link') addLink(links, parsed.data, viewport)
    // A comment's window repeats it.
    else if (text !== '' && subtype !== 'Popup') {
      const by = titleObj === undefined || titleObj.str.trim() === '' ? '' : `${titleObj.str.trim()}: `
      comments.push(`${by}${text}`.replace(/\r\n?|\n/g, '\n').replace(/^/gm, '> '))
    }
  }
  return { comments, fields, links }
}

/** Some programs write only how a comment looks: drawn, or as formatted text. */
function writtenIn({ contentsObj, textContent = [], richText }: z.infer<typeof annotationSchema>): string {
  const ways = [contentsObj?.str, textContent.join('\n'), richText?.str].map((text = '') => text.trim())
  return ways.find((text) => text !== '') ?? ''
}

/** In characters. */
const longestStruck = 500

/** Nothing else tells that it no longer holds. */
function struckOut(words: string): string[] {
  const text = words.replace(/\s+/g, ' ').trim()
  const shown = text.length > longestStruck ? `${text.slice(0, longestStruck).toWellFormed()}…` : text
  return shown === '' ? [] : [`[struck out: ${shown}]`]
}

function addLink(links: Link[], { url, rect, overlaidText }: z.infer<typeof annotationSchema>, viewport: PageViewport) {
  if (links.length >= mostLinks || rect === undefined || url === undefined || url.length > longestAddress) return
  if (!/^(https?:\/\/|mailto:)./i.test(url)) return
  // Nothing in it may end a line, a table's cell, or the brackets around it.
  const plain = url.replace(
    /[\s\p{C}|<>"`\\()]/gu,
    (character) => percent.get(character) ?? encodeURIComponent(character.toWellFormed()),
  )
  links.push({ url: plain, box: boxOf(rect, viewport), words: overlaidText ?? '' })
}

/** Apart from that, these two stay as they are. */
const percent = new Map([
  ['(', '%28'],
  [')', '%29'],
])

function addField(fields: Map<string, FormField>, field: z.infer<typeof annotationSchema>): void {
  const { fieldName: name, fieldType, fieldValue = '', checkBox = false, radioButton, options = [] } = field
  if (name === undefined || name === '' || fieldType === 'Sig' || field.password) return
  if (fieldType === 'Btn' && !checkBox && !radioButton) return
  const shown = new Map(options.map(({ exportValue, displayValue }) => [exportValue, displayValue]))
  const value = [fieldValue]
    .flat()
    .map((one) => shown.get(one) || one)
    .join(', ')
  if (hasValue(fields.get(name))) return
  const shownValue = fieldType === 'Btn' ? chosen(value, checkBox) : value.trim()
  const isHidden = field.hidden === true && isFilled(shownValue)
  const label = (field.alternativeText ?? '').replace(/\s+/g, ' ').trim().slice(0, longestLabel).toWellFormed()
  fields.set(name, {
    label: label === name ? '' : label,
    value: isHidden ? `[hidden: ${shownValue}]` : shownValue,
  })
}

const longestLabel = 200

const mostFields = 10_000

/**
 * A form that repeats a field shows it once, unless only a later one has a value. `known`: the fields so far, and
 * whether they have one.
 */
export function newFields(fields: ReadonlyMap<string, FormField>, known: Map<string, boolean>): Map<string, FormField> {
  const kept = new Map<string, FormField>()
  for (const [name, field] of fields) {
    const before = known.get(name)
    if (before === undefined ? known.size >= mostFields : before || !hasValue(field)) continue
    known.set(name, hasValue(field))
    kept.set(name, field)
  }
  return kept
}

/** Below the text of their page, so that they are found as it is. */
export function fieldLines(fields: ReadonlyMap<string, FormField>): string {
  if (fields.size === 0) return ''
  const lines = [...fields].map(([name, { label, value }]) => {
    const shown = value === '' ? '(empty)' : value.replace(/\s*(\r\n?|\n)\s*/g, '\n  ')
    return `- ${name}${label === '' ? '' : ` (${label})`}: ${shown}`
  })
  return ['Form fields:', ...lines].join('\n')
}

const unchecked = 'not checked'

/** Boxes that share a name are one choice: the one that isn't taken says nothing. */
const isFilled = (value: string): boolean => value !== '' && value !== unchecked

const hasValue = (field: FormField | undefined): boolean => field !== undefined && isFilled(field.value)

function chosen(value: string, isCheckBox: boolean): string {
  const isOff = value === '' || value === 'Off'
  if (!isCheckBox) return isOff ? '' : value
  if (isOff) return unchecked
  return /^(yes|on|true|1)$/i.test(value) ? 'checked' : `checked (${value})`
}
