import { scanXml } from '../../scan-xml.ts'
import { CellText, oneLine, type Package, type Relation } from './workbook.ts'

/** More are counted, not shown. */
const maxComments = 1000

/** What people wrote beside cells: `B4: Is this right?`, in the file's order. */
export async function readComments(file: Package, relations: Iterable<Relation>): Promise<string[]> {
  const found: { cell: string; text: string; isThreaded: boolean }[] = []
  let more = 0
  for (const { type, path } of relations) {
    if (type !== 'comments' && type !== 'threadedComment') continue
    const isThreaded = type === 'threadedComment'
    const xml = await file.read(path)
    if (xml === undefined) continue
    comments(xml, (cell, text) => {
      if (found.length < maxComments) found.push({ cell, text, isThreaded })
      else more++
    })
  }
  const threaded = new Set(found.filter(({ isThreaded }) => isThreaded).map(({ cell }) => cell))
  // A thread is also stored as a plain comment, for old programs.
  const kept = found.filter(({ cell, isThreaded }) => isThreaded || !threaded.has(cell))
  const lines = kept.map(({ cell, text }) => `${cell}: ${oneLine(text)}`)
  return more > 0 ? [...lines, `… and ${more} more`] : lines
}

/** Plain ones have their words in `t`, threads in `text`. */
function comments(xml: Buffer, take: (cell: string, text: string) => void): void {
  const text = new CellText()
  let cell = ''
  scanXml(xml, {
    open(name, attributes) {
      if (name === 'comment' || name === 'threadedComment') cell = attributes.get('ref') ?? '?'
      text.open(name === 'text' && isThread(xml) ? 't' : name)
    },
    text: (piece) => text.add(piece),
    close(name) {
      text.close(name === 'text' ? 't' : name)
      if (name === 'comment' || name === 'threadedComment') take(cell, text.take())
      return true
    },
  })
}

const isThread = (xml: Buffer): boolean => xml.subarray(0, 2048).includes('ThreadedComments')
