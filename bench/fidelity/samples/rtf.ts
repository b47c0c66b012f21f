import type { Mark, Sample } from '../sample.ts'
import { blocksOf, headingsOf, type Story, storyOf } from '../texts.ts'

/** Rich text, written by hand as programs write it. */
export const rtfSamples = async (stories: Map<string, Story>): Promise<Sample[]> => [
  ...[...stories.values()].map(rtf),
  table(storyOf(stories, 'de')),
  codePage(storyOf(stories, 'de')),
]

/** Letters beyond ASCII by number, each followed by what an old reader shows. */
const inRtf = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
    .map((code) => {
      if (code > 126) return `\\u${code > 32767 ? code - 65536 : code}?`
      const letter = String.fromCharCode(code)
      return /[\\{}]/.test(letter) ? `\\${letter}` : letter
    })
    .join('')

const rtfFile = (body: string): Uint8Array =>
  Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss Arial;}{\\f1 Symbol;}}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title x}}\n${body}}`,
    'latin1',
  )

const rtf = ({ language, sections }: Story): Sample => ({
  kind: 'rtf',
  feature: `paragraphs, ${language.code}`,
  name: 'sample.rtf',
  bytes: rtfFile(
    sections
      .map(
        ({ heading, paragraphs }) =>
          `\\pard\\s1\\outlinelevel0\\b ${inRtf(heading)}\\b0\\par\n${paragraphs.map((text) => `\\pard\\plain ${inRtf(text)}\\par\n`).join('')}`,
      )
      .join(''),
  ),
  blocks: blocksOf(sections),
  marks: headingsOf(sections),
})

function table({ table, sections }: Story): Sample {
  const [before = '', after = '', deleted = ''] = sections[0]?.paragraphs ?? []
  const row = (cells: string[]) =>
    `\\trowd${cells.map((_, index) => `\\cellx${(index + 1) * 1500}`).join('')}\\pard\\intbl ${cells.map((cell) => `${inRtf(cell)}\\cell`).join(' ')}\\row\n`
  const marks: Mark[] = [{ kind: 'facts', text: `[hidden: ${deleted}]` }]
  return {
    kind: 'rtf',
    feature: 'table, hidden text',
    name: 'table.rtf',
    bytes: rtfFile(
      `\\pard ${inRtf(before)}{\\v ${inRtf(deleted)}}\\par\n${table.map(row).join('')}\\pard ${inRtf(after)}\\par`,
    ),
    blocks: [before, ...table.flat(), after],
    ordered: [before, after],
    tables: [{ rows: table }],
    marks,
  }
}

/** Letters as bytes of the code page that the file names. */
function codePage({ sections }: Story): Sample {
  const blocks = sections.flatMap(({ paragraphs }) => paragraphs)
  const hex = (text: string) =>
    text.replace(/[\u0080-\u00ff]/g, (letter) => `\\'${letter.charCodeAt(0).toString(16)}`).replaceAll('€', "\\'80")
  const bytes = rtfFile(blocks.map((text) => `\\pard ${hex(text)}\\par\n`).join(''))
  return { kind: 'rtf', feature: 'code page', name: 'cp.rtf', bytes, blocks }
}
