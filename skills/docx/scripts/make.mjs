import { readFile, writeFile } from 'node:fs/promises'
import {
  AlignmentType,
  convertMillimetersToTwip,
  Document,
  Footer,
  Header,
  HeadingLevel,
  LevelFormat,
  Packer,
  PageBreak,
  PageNumber,
  PageOrientation,
  Paragraph,
  TableOfContents,
  TextRun,
} from 'docx'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { blocksOf, depth, numbersFrom } from './blocks.mjs'

const [out, path, given] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: make.mjs out.docx text.md [options.json]')
const options = given === undefined ? {} : JSON.parse(await readFile(given, 'utf8'))
const { title, author = 'Bobbin', page = 'A4', landscape = false, font = 'Calibri', size = 11 } = options
const { cover, contents = false, header, footer, pageNumbers = false } = options
const papers = { A4: [210, 297], Letter: [215.9, 279.4] }
const paper = papers[page]
if (paper === undefined) throw new Error('The page is A4 or Letter')
const margin = 25.4
const widthMm = (landscape ? paper[1] : paper[0]) - 2 * margin

const tree = fromMarkdown(await readFile(path, 'utf8'), {
  extensions: [gfm()],
  mdastExtensions: [gfmFromMarkdown()],
})
const { blocks, footnotes, starts, htmlLeftOut } = await blocksOf(tree, { widthMm })

const centred = (text, half, before) =>
  new Paragraph({
    alignment: AlignmentType.CENTER,
    spacing: { before },
    children: [new TextRun({ text, size: half, bold: half > 40 })],
  })
const coverPage =
  cover === undefined
    ? []
    : [
        centred(cover.title ?? title ?? '', 56, 4000),
        ...(cover.subtitle === undefined ? [] : [centred(cover.subtitle, 32, 200)]),
        ...(cover.lines ?? []).map((line, place) => centred(line, 24, place === 0 ? 1200 : 60)),
        new Paragraph({ children: [new PageBreak()] }),
      ]
const contentsPage = contents
  ? [
      new TableOfContents('Contents', { hyperlink: true, headingStyleRange: '1-3' }),
      new Paragraph({ children: [new PageBreak()] }),
    ]
  : []

const number = new TextRun({ children: [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES], size: 18 })
const small = (text) => new TextRun({ text, size: 18, color: '666666' })
const footing = [...(footer === undefined ? [] : [small(`${footer}   `)]), ...(pageNumbers ? [number] : [])]
const levels = (format, text, start = 1) =>
  Array.from({ length: depth }, (_, level) => ({
    level,
    start,
    format,
    text: text(level),
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: 500 * (level + 1), hanging: 300 } } },
  }))
const heading = (half, before) => ({
  run: { size: half, bold: true, color: '1F3864', font },
  paragraph: { spacing: { before, after: 120 }, keepNext: true },
})

const document = new Document({
  title: title ?? '',
  creator: author,
  features: { updateFields: contents },
  footnotes,
  styles: {
    default: {
      document: { run: { font, size: size * 2 }, paragraph: { spacing: { after: 120, line: 276 } } },
      heading1: heading(32, 320),
      heading2: heading(27, 260),
      heading3: heading(24, 200),
      heading4: heading(22, 160),
    },
    paragraphStyles: [
      {
        id: 'Quote',
        name: 'Quote',
        basedOn: 'Normal',
        run: { italics: true, color: '444444' },
        paragraph: { indent: { left: 500 } },
      },
      { id: 'Code', name: 'Code', basedOn: 'Normal', run: { font: 'Consolas', size: 19 } },
    ],
  },
  numbering: {
    config: [
      { reference: 'bullets', levels: levels(LevelFormat.BULLET, (level) => ['•', '◦', '▪'][level % 3]) },
      ...starts.map((start) => ({
        reference: numbersFrom(start),
        levels: levels(LevelFormat.DECIMAL, (level) => `%${level + 1}.`, start),
      })),
    ],
  },
  sections: [
    {
      properties: {
        titlePage: cover !== undefined,
        page: {
          size: {
            width: convertMillimetersToTwip(paper[0]),
            height: convertMillimetersToTwip(paper[1]),
            orientation: landscape ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
          },
          margin: Object.fromEntries(
            ['top', 'right', 'bottom', 'left'].map((side) => [side, convertMillimetersToTwip(margin)]),
          ),
        },
      },
      headers:
        header === undefined
          ? {}
          : { default: new Header({ children: [new Paragraph({ children: [small(header)] })] }) },
      footers:
        footing.length === 0
          ? {}
          : {
              default: new Footer({ children: [new Paragraph({ alignment: AlignmentType.RIGHT, children: footing })] }),
            },
      children: [
        ...coverPage,
        ...contentsPage,
        ...(title !== undefined && cover === undefined
          ? [new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(title)] })]
          : []),
        ...blocks,
      ],
    },
  ],
})
await writeFile(out, await Packer.toBuffer(document))
const counts = { blocks: blocks.length, footnotes: Object.keys(footnotes).length }
console.log(JSON.stringify({ file: out, ...counts, ...(htmlLeftOut > 0 && { htmlLeftOut }) }))
