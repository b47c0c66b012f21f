import type { XmlElement } from '../../xml.ts'

const set = (names: string): ReadonlySet<string> => new Set(names.split(' ').map((name) => `w:${name}`))

/** The properties of runs, paragraphs and tables that are used: most of a file is fonts, sizes and borders. */
const used: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['w:rPr', set('rStyle b i strike dstrike vertAlign vanish del ins moveFrom')],
  ['w:pPr', set('pStyle numPr outlineLvl rPr')],
  ['w:tcPr', set('gridSpan vMerge')],
  ['w:trPr', set('tblHeader gridBefore del ins')],
  ['w:tblPr', set('tblStyle')],
  ['w:tblPrEx', set('')],
  ['w:tblGrid', set('')],
  ['w:sectPr', set('')],
])

/** For streaming: whether to forget an element. */
export const isUnused = ({ name }: XmlElement, around: readonly XmlElement[]): boolean =>
  used.get(around.at(-1)?.name ?? '')?.has(name) === false
