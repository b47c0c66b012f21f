import { scanXml } from '../../scan-xml.ts'
import { resolvedMark } from '../text/marks.ts'
import { CellText, oneLine, type Package, type Relation } from './workbook.ts'

/** More are counted, not shown. */
const maxComments = 1000

/** Names of those who write in threads, by id. */
export type Persons = ReadonlyMap<string, string>

interface Comment {
  cell: string
  author: string
  text: string
  isResolved: boolean
  isThreaded: boolean
}

/** What people wrote beside cells: `B4 (Ana Lee): Is this right?`, in the file's order. */
export async function readComments(file: Package, relations: Iterable<Relation>, persons: Persons): Promise<string[]> {
  const found: Comment[] = []
  let more = 0
  for (const { type, path } of relations) {
    if (type !== 'comments' && type !== 'threadedComment') continue
    const xml = await file.read(path)
    if (xml === undefined) continue
    comments(xml, persons, (comment) => {
      if (found.length < maxComments) found.push({ ...comment, isThreaded: type === 'threadedComment' })
      else more++
    })
  }
  const threaded = new Set(found.filter(({ isThreaded }) => isThreaded).map(({ cell }) => cell))
  // A thread is also stored as a plain comment, for old programs.
  const lines = found.filter(({ cell, isThreaded }) => isThreaded || !threaded.has(cell)).map(lineOf)
  return more > 0 ? [...lines, `… and ${more} more`] : lines
}

/** A plain comment mostly begins with its author's name. */
function lineOf({ cell, author, text, isResolved }: Comment): string {
  const words = oneLine(text)
  const rest = author !== '' && words.startsWith(`${author}:`) ? words.slice(author.length + 1).trim() : words
  const about = `${author}${isResolved ? resolvedMark : ''}`.replace(/^, /, '')
  return about === '' ? `${cell}: ${rest}` : `${cell} (${about}): ${rest}`
}

export async function readPersons(file: Package, workbook: string): Promise<Persons> {
  const persons = new Map<string, string>()
  for (const { type, path } of (await file.relations(workbook)).values()) {
    const xml = type === 'person' ? await file.read(path) : undefined
    if (xml === undefined) continue
    scanXml(xml, {
      open(name, attributes) {
        if (name === 'person') persons.set(attributes.get('id') ?? '', attributes.get('displayName')?.trim() ?? '')
      },
    })
  }
  return persons
}

/** Plain ones have their words in `t`, threads in `text`. */
function comments(xml: Buffer, persons: Persons, take: (comment: Omit<Comment, 'isThreaded'>) => void): void {
  const text = new CellText()
  const authors: string[] = []
  let isAuthor = false
  let [cell, author] = ['', '']
  // A thread's first comment says it for the whole thread, and comes first.
  const resolved = new Set<string>()
  let isResolved = false
  scanXml(xml, {
    open(name, attributes) {
      if (name === 'author') authors.push('')
      isAuthor = name === 'author'
      if (name === 'comment' || name === 'threadedComment') {
        cell = attributes.get('ref') ?? '?'
        author = persons.get(attributes.get('personId') ?? '') ?? authors[attributes.number('authorId') ?? -1] ?? ''
        const id = attributes.get('id') ?? ''
        if (/^(1|true)$/.test(attributes.get('done') ?? '')) resolved.add(id)
        isResolved = resolved.has(attributes.get('parentId') ?? id)
      }
      text.open(name === 'text' && isThread(xml) ? 't' : name, attributes)
    },
    text: (piece) => {
      if (isAuthor) authors[authors.length - 1] += piece
      else text.add(piece)
    },
    close(name) {
      isAuthor = false
      text.close(name === 'text' ? 't' : name)
      if (name === 'comment' || name === 'threadedComment')
        take({
          cell,
          author: author === nobody ? '' : oneLine(author).slice(0, longestName),
          text: text.take(),
          isResolved,
        })
      return true
    },
  })
}

const longestName = 100

/** What programs write if they know no name. */
const nobody = 'Author'

const isThread = (xml: Buffer): boolean => xml.subarray(0, 2048).includes('ThreadedComments')
