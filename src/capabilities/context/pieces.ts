import type { Workspace } from '../../domain/workspace.ts'
import type { Documents, OpenDocument } from '../../kit/documents/document.ts'
import { isAboutCut } from '../../kit/documents/parse.ts'
import { Failure } from '../../kit/failure.ts'
import { documentKindOf } from '../../kit/files/document-kind.ts'
import { headBytes, isText } from '../../kit/files/type.ts'
import { shownPath } from '../../kit/text/shown.ts'
import { readLines } from '../../workspace/lines.ts'
import { contextWords } from './words.ts'

/** A longer line is cut, in bytes. */
const keepBytes = 1_000_000

/** A text in pieces of at most this many characters; the same text always gives the same pieces. */
export async function* pieces(texts: AsyncIterable<string> | Iterable<string>, most: number): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    for (let start = 0; start < text.length || start === 0; start += most) {
      const part = text.slice(start, start + most)
      if (piece !== '' && piece.length + part.length + 1 > most) {
        yield piece
        piece = ''
      }
      piece = piece === '' ? part : `${piece}\n${part}`
    }
  }
  if (piece.trim() !== '') yield piece
}

interface Reading {
  workspace: Workspace
  documents: Documents
  signal: AbortSignal
  /** Hears, in sentences, what of the file isn't in its text. */
  lacks(note: string): void
}

/** The text of a file of any kind: its lines, or the parts of a document. */
export async function* textOf(path: string, { workspace, documents, signal, lacks }: Reading): AsyncGenerator<string> {
  const entry = await workspace.stat(path)
  if (entry?.kind !== 'file')
    throw new Failure('not_found', `${shownPath(path)} is not a file.`, 'Use find_files to see what there is.')
  const head = await workspace.readRange(path, 0, headBytes)
  if (documentKindOf(path, head) !== undefined) {
    const document = await documents.open(path, { signal })
    missingIn(document).forEach(lacks)
    for (const [place, { unit, number, isHidden, characters }] of document.parts.entries()) {
      if (characters === 0) continue
      yield `[${unit} ${number}${isHidden ? ', hidden' : ''}]`
      for await (const lines of document.lines(place)) yield lines.join('\n')
    }
    return
  }
  if (!isText(head))
    throw new Failure('not_text', `${shownPath(path)} cannot be read as text.`, 'Use a command to work with it.')
  for await (const { lines } of readLines(workspace, path, { keepBytes, signal })) {
    if (lines.some(({ cut }) => cut)) lacks(contextWords.lineCut())
    yield lines.map(({ text }) => text).join('\n')
  }
}

/** The reader's notes about text that is missing: what it left out, then pages that are pictures. */
function missingIn({ kind, notes, parts }: OpenDocument): string[] {
  const isScan =
    kind === 'image' ||
    parts.some(({ unit, characters, isPictured }) => isPictured || (characters === 0 && !mayBeEmpty.includes(unit)))
  return [...notes.filter(isAboutCut), ...notes.filter((note) => isScan && !isAboutCut(note) && !note.includes('\n'))]
}

/** Without text, these are no pictures. */
const mayBeEmpty = ['sheet', 'slide']
