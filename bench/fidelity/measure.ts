import type { ParsedDocument } from '../../src/kit/documents/document.ts'
import { plainText } from './baselines.ts'
import { scoreText, type TextScore } from './errors.ts'
import { type OrderScore, scoreOrder } from './order.ts'
import { folded, type Mark, markKinds, type Sample } from './sample.ts'
import { seen } from './seen.ts'
import { isThere } from './structure.ts'
import { type CellScore, scoreCells } from './tables.ts'

export interface Measured {
  sample: Sample
  text: TextScore
  order: OrderScore
  cells: CellScore
  marks: { kind: Mark['kind']; found: number; count: number }[]
  baseline?: { text: TextScore; order: OrderScore }
  /** All that differs. */
  wrong: string[]
}

export async function measure(sample: Sample, document: ParsedDocument): Promise<Measured> {
  const expected = folded(sample.blocks.join(' '))
  const ordered = sample.ordered ?? sample.blocks
  const found = seen(document, sample)
  const text = scoreText(expected, found)
  const order = scoreOrder(ordered, expected, found)
  const cells = scoreCells(document, sample.tables ?? [])
  const read = { document, text: document.parts.map((part) => part.text).join('\n\n') }
  const marks = (sample.marks ?? []).map((mark) => ({ mark, isFound: isThere(mark, read) }))
  const plain = await plainText(sample)
  return {
    sample,
    text,
    order,
    cells,
    marks: markKinds.flatMap((kind) => {
      const ofKind = marks.filter(({ mark }) => mark.kind === kind)
      const found = ofKind.filter(({ isFound }) => isFound).length
      return ofKind.length === 0 ? [] : [{ kind, found, count: ofKind.length }]
    }),
    ...(plain === undefined
      ? {}
      : { baseline: { text: scoreText(expected, plain), order: scoreOrder(ordered, expected, plain) } }),
    wrong: [
      ...text.wrong,
      ...order.wrong,
      ...cells.wrong,
      ...marks.flatMap(({ mark, isFound }) => (isFound ? [] : [`not found among ${mark.kind}: ${mark.text}`])),
    ],
  }
}
