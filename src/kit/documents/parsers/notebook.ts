import { z } from 'zod'
import { decodeText } from '../../text/encoding.ts'
import { damaged, type Parser, Parts } from '../parse.ts'
import { type Block, sectionsOf } from './docx/sections.ts'
import { markdownOfHtml } from './html.ts'
import { blocksOfMarkdown, fenced } from './text/blocks.ts'

/** A text in one piece, or in lines. */
const text = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (typeof given === 'string' ? given : given.join('')))
const output = z.object({
  text: text.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
})
const cell = z.object({
  cell_type: z.string().default('code'),
  source: text.optional(),
  input: text.optional(),
  outputs: z.array(output).default([]),
})
const notebook = z.object({
  cells: z.array(cell).optional(),
  /** Before 2015. */
  worksheets: z.array(z.object({ cells: z.array(cell) })).optional(),
  metadata: z
    .object({
      language_info: z.object({ name: z.string() }).optional(),
      kernelspec: z.object({ language: z.string().optional() }).optional(),
    })
    .optional(),
})

/** The most characters of one output. */
const outputCharacters = 10_000

/** A Jupyter notebook (.ipynb): text, code, and what the code printed when it last ran. Throws `damaged`. */
export const parseNotebook: Parser = async ({ bytes }, limits) => {
  const { cells, worksheets, metadata } = read(bytes)
  const all = cells ?? worksheets?.flatMap((sheet) => sheet.cells) ?? []
  const language = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? ''
  const counts = { code: 0, images: 0, cut: 0 }
  const blocks = all.flatMap((one): Block[] => {
    const source = one.source ?? one.input ?? ''
    if (one.cell_type !== 'code') return blocksOfMarkdown(source)
    counts.code++
    const outputs = one.outputs.flatMap((each) => outputText(each, counts))
    const code = source.trim() === '' ? [] : [{ text: fenced(source, language.replace(/[^\w+#-]/g, '')) }]
    return [...code, ...outputs.map((printed) => ({ text: printed }))]
  })
  const parts = new Parts(limits)
  for (const section of sectionsOf(blocks)) if (!parts.add(section)) break
  const notes = [
    `${all.length.toLocaleString('en')} cells, ${counts.code.toLocaleString('en')} of them code${language === '' ? '' : ` (${language.slice(0, 50)})`}. Outputs are those of the last run.`,
    counts.images > 0 ? `${counts.images.toLocaleString('en')} of its outputs are images, which are not read.` : '',
    ...parts.emptiness(),
    ...parts.notes(),
    counts.cut > 0 ? 'Some outputs are long: the end of them was left out.' : '',
  ]
  return { kind: 'notebook', notes: notes.filter(Boolean), parts: parts.list }
}

function read(bytes: Uint8Array): z.infer<typeof notebook> {
  try {
    return notebook.parse(JSON.parse(decodeText(bytes).text))
  } catch (thrown) {
    throw damaged('it isn’t a complete notebook', thrown)
  }
}

const asText = (value: unknown): string | undefined => text.safeParse(value).data

/** Colours and the like, as terminals understand them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const escapes = /\u001b\[[0-9;]*[A-Za-z]/g

function outputText(one: z.infer<typeof output>, counts: { images: number; cut: number }): string[] {
  const data = one.data ?? {}
  if (Object.keys(data).some((type) => type.startsWith('image/'))) counts.images++
  const html = asText(data['text/html'])
  const markdown = asText(data['text/markdown']) ?? (html === undefined ? undefined : markdownOfHtml(html))
  const failed = one.ename === undefined ? undefined : `${one.ename}: ${one.evalue ?? ''}`
  const plain = failed ?? one.text ?? asText(data['text/plain'])
  const whole = markdown?.trim() || (plain ?? '').replace(escapes, '').trimEnd()
  if (whole === '') return []
  if (whole.length > outputCharacters) counts.cut++
  const shown = whole.slice(0, outputCharacters).toWellFormed()
  return [`Output:\n\n${markdown?.trim() ? shown : fenced(shown)}`]
}
