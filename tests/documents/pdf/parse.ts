import type { ParsedDocument } from '../../../src/kit/documents/document.ts'
import type { ParseLimits } from '../../../src/kit/documents/parse.ts'
import { parsePdf } from '../../../src/kit/documents/parsers/pdf.ts'
import { makePdf, type Page, type Plan, type Text } from './make.ts'

export const limits: ParseLimits = {
  textCharacters: 5_000_000,
  parts: 5_000,
  unpackedBytes: 1e9,
  archiveEntries: 10_000,
}

export const parse = (
  bytes: Uint8Array,
  options: { password?: string; limits?: ParseLimits } = {},
): Promise<ParsedDocument> =>
  parsePdf(
    { name: 'some.pdf', bytes, ...(options.password === undefined ? {} : { password: options.password }) },
    options.limits ?? limits,
  )

/** A document of pages that were made for it. */
export const parsed = (pages: Page[], plan: Omit<Plan, 'pages'> = {}): Promise<ParsedDocument> =>
  parse(makePdf({ ...plan, pages }))

/** The text of a page with these texts. */
export const textOf = async (...texts: Text[][]): Promise<string> =>
  (await parsed([{ texts: texts.flat() }])).parts[0]?.text ?? ''
