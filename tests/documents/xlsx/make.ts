import ExcelJS from 'exceljs'
import JSZip from 'jszip'
import type { ParsedDocument } from '../../../src/kit/documents/document.ts'
import type { ParseLimits } from '../../../src/kit/documents/parse.ts'
import { parseXlsx } from '../../../src/kit/documents/parsers/xlsx.ts'

export const limits: ParseLimits = {
  textCharacters: 1_000_000,
  parts: 10_000,
  unpackedBytes: 64 * 1024 * 1024,
  archiveEntries: 20_000,
}

/** A workbook as a common library writes it. */
export async function workbook(fill: (workbook: ExcelJS.Workbook) => void): Promise<Buffer> {
  const made = new ExcelJS.Workbook()
  fill(made)
  return Buffer.from(await made.xlsx.writeBuffer())
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface ByHand {
  /** The XML of each sheet's root, or only of its `sheetData`. */
  sheets: { name: string; xml: string; state?: string }[]
  workbookXml?: string
  /** More parts, by name; undefined leaves one out. */
  more?: Record<string, string | Buffer | undefined>
}

export const sheetXml = (rows: string): string =>
  `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`

/** A workbook of which every part is written by hand. */
export async function byHand({ sheets, workbookXml = '', more = {} }: ByHand): Promise<Buffer> {
  const zip = new JSZip()
  const entries = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" ${state ? `state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  )
  const relations = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  )
  const parts: Record<string, string | Buffer | undefined> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}">${workbookXml}<sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    ...Object.fromEntries(sheets.map(({ xml }, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml])),
    ...more,
  }
  for (const [name, content] of Object.entries(parts)) if (content !== undefined) zip.file(name, content)
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
}

export const parse = (bytes: Uint8Array, given: ParseLimits = limits): Promise<ParsedDocument> =>
  parseXlsx({ name: 'a.xlsx', bytes }, given)

export const oneSheet = async (rows: string): Promise<string> =>
  (await parse(await byHand({ sheets: [{ name: 'S', xml: sheetXml(rows) }] }))).parts[0]?.text ?? ''
