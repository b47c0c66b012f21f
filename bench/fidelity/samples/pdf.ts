import { PDFDocument, StandardFonts } from 'pdf-lib'
import { grid, lines, paragraph } from '../../../tests/documents/pdf/compose.ts'
import { type Font, makePdf, type Text } from '../../../tests/documents/pdf/make.ts'
import { pagesOf, wrapped } from '../../search/write.ts'
import type { Sample } from '../sample.ts'
import { blocksOf, headingsOf, type Story, storyOf } from '../texts.ts'

const letters = 'abcdefghijklmnopqrstuvwxyzäöüß'

/** Pages made by hand, with the ways in which programs write text. */
export async function pdfSamples(stories: Map<string, Story>): Promise<Sample[]> {
  const english = storyOf(stories, 'en')
  const german = storyOf(stories, 'de')
  return [
    oneColumn(english, 'latin', 88, 'one column'),
    oneColumn(german, 'latin', 88, 'one column, German'),
    twoColumns(english, 'two columns'),
    twoColumns(english, 'two columns, drawn across'),
    sixColumns(english, 'latin', 'table of 6 columns'),
    sixColumns(storyOf(stories, 'zh'), 'gb', 'Chinese table of 6 columns'),
    oneColumn(storyOf(stories, 'zh'), 'gb', 44, 'Chinese, font not embedded'),
    oneColumn(storyOf(stories, 'ja'), 'jis', 44, 'Japanese, font not embedded'),
    downwards(storyOf(stories, 'ja')),
    oneColumn(storyOf(stories, 'ar'), 'any', 80, 'Arabic, visual order'),
    await justified(german),
  ]
}

const pdf = (
  feature: string,
  name: string,
  pages: { texts: Text[] }[],
  rest: Pick<Sample, 'blocks'> & Partial<Sample>,
) => ({ kind: 'pdf', feature, name, bytes: makePdf({ pages, isPacked: true }), ...rest }) satisfies Sample

function oneColumn({ language, sections }: Story, font: Font, width: number, feature: string): Sample {
  const shown = font === 'any' ? asDrawn : (line: string) => line
  const lines = sections.flatMap(({ heading, paragraphs }) => [
    { text: shown(heading), size: 15 },
    ...paragraphs.flatMap((text) => [
      ...(font === 'gb' || font === 'jis' ? unspaced(text, width) : wrapped(text, width)).map((line) => ({
        text: shown(line.trimEnd()),
        size: 10,
      })),
      { text: '', size: 10 },
    ]),
  ])
  const pages = pagesOf(lines, font)
  // Right to left, lines end where the page's text does, not where it begins.
  if (font === 'any') for (const text of pages.flatMap(({ texts }) => texts)) text.x = 535 - lengthOf(text)
  return pdf(feature, `${language.code}.pdf`, pages, { blocks: blocksOf(sections), marks: headingsOf(sections) })
}

const graphemes = /[\x21-\x7e]+|[^\x21-\x7e]/g

/** Lines of a script without spaces: numbers and Latin words stay whole. */
function unspaced(text: string, width: number): string[] {
  const lines = ['']
  for (const [piece] of text.matchAll(graphemes)) {
    const last = lines.length - 1
    if ((lines[last] ?? '').length + piece.length <= width) lines[last] += piece
    else lines.push(piece)
  }
  return lines.map((line) => line.trim())
}

/** In points, in the font `any`. */
const lengthOf = ({ text, size = 10 }: Text): number => text.length * 0.55 * size

/** A line of a script from right to left as it is seen: reversed, but for numbers and Latin words, brackets turned. */
function asDrawn(line: string): string {
  const turned = [...line]
    .reverse()
    .join('')
    .replace(/[()]/g, (bracket) => (bracket === '(' ? ')' : '('))
  return turned.replace(/[0-9A-Za-z](?:[0-9A-Za-z@.,:/-]*[0-9A-Za-z])?/g, (run) => [...run].reverse().join(''))
}

/** A title over both columns; the text goes on from the foot of the left one to the head of the right one. */
function twoColumns({ title, sections }: Story, feature: string): Sample {
  const [left, right, top, bottom] = [60, 310, 110, 780]
  const pages: { texts: Text[] }[] = [{ texts: [{ x: left, y: 70, text: title, size: 18 }] }]
  let [x, y] = [left, top]
  const next = () => {
    if (x === right) pages.push({ texts: [] })
    x = x === left ? right : left
    y = top
  }
  for (const { heading, paragraphs } of sections) {
    if (y + 40 > bottom) next()
    pages.at(-1)?.texts.push({ x, y, text: heading, size: 13 })
    y += 20
    for (const text of paragraphs) {
      for (const line of paragraph(text, { x: 0, y: 0, width: 220 })) {
        if (y > bottom) next()
        pages.at(-1)?.texts.push({ ...line, x, y })
        y += 12
      }
      y += 8
    }
  }
  if (feature.endsWith('across')) for (const { texts } of pages) texts.sort((a, b) => a.y - b.y || a.x - b.x)
  return pdf(feature, 'columns.pdf', pages, {
    blocks: [title, ...blocksOf(sections)],
    marks: headingsOf(sections),
  })
}

function sixColumns({ sections, table }: Story, font: Font, feature: string): Sample {
  const [before = '', after = ''] = sections[0]?.paragraphs ?? []
  const prose = (text: string, y: number) =>
    font === 'latin'
      ? paragraph(text, { x: 50, y, width: 480 })
      : lines(unspaced(text, 44), { x: 50, y, size: 10, font })
  const texts = [
    ...prose(before, 60),
    ...grid(table, { xs: [50, 135, 215, 320, 430, 480], y: 160, font, size: font === 'latin' ? 10 : 7 }),
    ...prose(after, 340),
  ]
  return pdf(feature, 'table.pdf', [{ texts }], {
    blocks: [before, ...table.flat(), after],
    ordered: [before, after],
    tables: [{ rows: table }],
  })
}

/** 24 characters a line, from the right edge to the left. */
function downwards({ sections }: Story): Sample {
  const paragraphs = sections.slice(0, 1).flatMap(({ paragraphs }) => paragraphs.slice(0, 3))
  const lines = paragraphs.flatMap((text) => [...wrapped(text, 40), ''])
  const texts = lines
    .map((text, index) => ({ x: 530 - index * 18, y: 80, text, size: 12, font: 'down' as const }))
    .filter(({ text }) => text !== '')
  return pdf('Japanese, top to bottom', 'down.pdf', [{ texts }], { blocks: paragraphs })
}

/** Each word stands by itself, the spaces stretched, long words broken with a hyphen, as a typesetter does it. */
async function justified({ sections }: Story): Promise<Sample> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const [left, width, size] = [60, 260, 10]
  const lengthOf = (text: string) => font.widthOfTextAtSize(text, size)
  const some = sections.slice(0, 2)
  let page = document.addPage([400, 842])
  let y = 790
  const line = (words: string[], isLast: boolean) => {
    const gap = isLast
      ? lengthOf(' ')
      : (width - words.reduce((sum, word) => sum + lengthOf(word), 0)) / (words.length - 1)
    let x = left
    if (y < 50) {
      page = document.addPage([400, 842])
      y = 790
    }
    for (const word of words) {
      page.drawText(word, { x, y, size, font })
      x += lengthOf(word) + gap
    }
    y -= 13
  }
  for (const { heading, paragraphs } of some) {
    page.drawText(heading, { x: left, y, size: 15, font })
    y -= 22
    for (const text of paragraphs) {
      const lines = brokenLines(text, (words) => lengthOf(words.join(' ')) <= width)
      for (const [index, words] of lines.entries()) line(words, index === lines.length - 1)
      y -= 8
    }
  }
  const bytes = await document.save()
  const name = 'justified.pdf'
  return { kind: 'pdf', feature: 'justified, hyphenated', name, bytes, blocks: blocksOf(some), marks: headingsOf(some) }
}

function brokenLines(text: string, fits: (words: string[]) => boolean): string[][] {
  const lines: string[][] = [[]]
  for (const word of text.split(' ')) {
    const current = lines.at(-1) ?? []
    if (fits([...current, word])) {
      current.push(word)
      continue
    }
    const at = breaksOf(word).findLast((at) => fits([...current, `${word.slice(0, at)}-`]))
    if (at !== undefined) current.push(`${word.slice(0, at)}-`)
    lines.push([at === undefined ? word : word.slice(at)])
  }
  return lines
}

/** Before a consonant that a vowel follows, three letters from both ends. */
function breaksOf(word: string): number[] {
  if (![...word.toLowerCase().replace(/[.,]$/, '')].every((letter) => letters.includes(letter))) return []
  return Array.from(word.matchAll(/(?<=.{2}[a-zäöüß])(?=[bcdfghjklmnpqrstvwxz][aeiouäöü].)/gi), ({ index }) => index)
}
