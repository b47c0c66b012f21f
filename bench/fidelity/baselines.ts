import exceljs from 'exceljs'
import mammoth from 'mammoth'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { folded, type Sample } from './sample.ts'
import { withoutMarks } from './seen.ts'

/** The same file's text as a library gives it in one call, if there is one. */
export async function plainText({ kind, bytes }: Sample): Promise<string | undefined> {
  if (kind === 'pdf') return cleaned(await plainPdf(bytes))
  if (kind === 'docx') return cleaned((await mammoth.extractRawText({ buffer: Buffer.from(bytes) })).value)
  if (kind === 'xlsx') return cleaned(await plainXlsx(bytes))
  return undefined
}

const cleaned = (text: string): string => folded(text.split('\n').map(withoutMarks).join('\n'))

async function plainPdf(bytes: Uint8Array): Promise<string> {
  const folder = (name: string) => `${import.meta.dirname}/../../node_modules/pdfjs-dist/${name}/`
  const loading = getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    verbosity: VerbosityLevel.ERRORS,
  })
  const document = await loading.promise
  const lines: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    lines.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''))
  }
  await loading.destroy()
  return lines.join('\n')
}

async function plainXlsx(bytes: Uint8Array): Promise<string> {
  const workbook = new exceljs.Workbook()
  // Its types use an older Buffer.
  await workbook.xlsx.load(Buffer.from(bytes) as unknown as exceljs.Buffer)
  const cells: string[] = []
  for (const sheet of workbook.worksheets) sheet.eachRow((row) => row.eachCell((cell) => cells.push(cell.text)))
  return cells.join('\n')
}
