import { HeadingLevel, Packer, Paragraph, Document as WordDocument } from 'docx'
import exceljs from 'exceljs'
import pptxgen from 'pptxgenjs'
import { type Font, makePdf, type Text } from '../../tests/documents/pdf/make.ts'
import type { Document, Format, Section } from './collection.ts'

/** A document of the collection as a file. */
export const fileOf = (document: Document): Promise<Uint8Array> => writers[document.format](document)

const writers: Record<Format, (document: Document) => Promise<Uint8Array>> = {
  pdf: async ({ sections, language }) => {
    const font = fonts[language.code] ?? 'latin'
    const lines = sections.flatMap(({ heading, paragraphs }) => [
      { text: heading, size: 15 },
      ...paragraphs.flatMap((paragraph) => [
        ...wrapped(paragraph, font === 'latin' ? 88 : 44).map((text) => ({ text, size: 10 })),
        { text: '', size: 10 },
      ]),
    ])
    return makePdf({ pages: pagesOf(lines, font), isPacked: true })
  },

  docx: async ({ sections }) =>
    Packer.toBuffer(
      new WordDocument({
        sections: [
          {
            children: sections.flatMap(({ heading, paragraphs }) => [
              new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 }),
              ...paragraphs.map((text) => new Paragraph(text)),
            ]),
          },
        ],
      }),
    ),

  async xlsx({ sections }) {
    const workbook = new exceljs.Workbook()
    for (const [index, half] of halves(sections).entries()) {
      const sheet = workbook.addWorksheet(`Sheet ${index + 1}`)
      sheet.addRow(['No.', 'Chapter', 'Text', 'Value'])
      for (const { heading, paragraphs } of half) {
        for (const text of paragraphs) sheet.addRow([sheet.rowCount, heading, text, sheet.rowCount * 17.5])
      }
    }
    return new Uint8Array(await workbook.xlsx.writeBuffer())
  },

  async pptx({ sections }) {
    // Its types describe the default export as if it were the module.
    const deck = new (pptxgen as unknown as new () => import('pptxgenjs').default)()
    for (const { heading, paragraphs } of sections) {
      const slide = deck.addSlide()
      slide.addText(heading, { x: 0.5, y: 0.2, w: 9, h: 0.8, fontSize: 28 })
      slide.addText(
        paragraphs.map((text) => ({ text, options: { bullet: true, breakLine: true } })),
        { x: 0.5, y: 1.2, w: 9, h: 4, fontSize: 10 },
      )
    }
    // It returns a Node buffer when asked for one; its type lists all formats.
    return (await deck.write({ outputType: 'nodebuffer' })) as Uint8Array
  },
}

const fonts: Record<string, Font> = { zh: 'gb', ja: 'jis' }

const halves = (sections: Section[]): Section[][] => {
  const middle = Math.ceil(sections.length / 2)
  return [sections.slice(0, middle), sections.slice(middle)]
}

/** Lines of this many characters, broken between words if there are any. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const at = space > width / 2 ? space : width
    lines.push(rest.slice(0, at))
    rest = rest.slice(at).trimStart()
  }
  return [...lines, rest]
}

/** Lines from top to bottom, page after page, in points. */
export function pagesOf(lines: { text: string; size: number }[], font: Font): { texts: Text[] }[] {
  const [top, bottom, left] = [60, 780, 60]
  const pages: { texts: Text[] }[] = [{ texts: [] }]
  let y = top
  for (const { text, size } of lines) {
    if (y + size > bottom) {
      pages.push({ texts: [] })
      y = top
    }
    if (text !== '') pages.at(-1)?.texts.push({ x: left, y, text, size, font })
    y += size * 1.4
  }
  return pages
}
