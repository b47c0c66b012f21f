import { Socket } from 'node:net'
import { Failure, reasonOf } from '../failure.ts'
import { namedSuffix } from '../files/document-kind.ts'
import './response.ts'
import { type Batch, mostOf, split } from './chunks/batches.ts'
import { Portions } from './chunks/portions.ts'
import type { DocumentKind, DocumentPiece, ParsedDocument } from './document.ts'
import { type Frame, frameOf, framesIn } from './frames.ts'
import { damaged, type Hand, isAboutCut, isOutOfMemory, type ParseLimits, Parts, tooMuchMemory } from './parse.ts'
import { parseSteps } from './parse-file.ts'
import type { Drawn, Failed, Paged, ReadRequest, RecognizedPage } from './read-request.ts'

// The program of a reader, and the only place where parsers run. It keeps nothing from one file to the next.

/** The last message of an answer. */
async function run({ message, bytes }: Frame): Promise<Batch | Failed | Paged | Drawn> {
  // The bot wrote it.
  const request = message as ReadRequest
  try {
    if (request.kind === 'page') {
      const { readPage } = await import('./parsers/web-page.ts')
      const { charset, url, mostCharacters } = request
      return { webPage: readPage({ html: bytes, charset, url }, mostCharacters) }
    }
    if (request.kind === 'picture') {
      const { pictureOf } = await import('./pictures/draw.ts')
      return { picture: await pictureOf(bytes, request) }
    }
    const { limits } = request
    const read = (handOf: (kind: DocumentKind) => Hand) => {
      if (request.kind === 'recognized') return recognized(bytes, request)
      const { name, password } = request
      const file = { name: namedLike(name), bytes, ...(password === undefined ? {} : { password }) }
      return parseSteps(file, limits, handOf)
    }
    const portions = new Portions(mostOf(limits))
    const document = await read((kind) => async (pieces, expected) => {
      const facts = { kind, notes: [], ...(expected === undefined ? {} : { expected }) }
      for (const batch of split(portions.add(pieces.map(named), facts, false))) await send(batch)
    })
    const { parts, ...facts } = bounded(document)
    const last = portions.add(parts, facts, true)
    for (const batch of split(last)) {
      if (batch.isLast) return batch
      await send(batch)
    }
    return last
  } catch (thrown) {
    const error = errorOf(thrown)
    return { error: { code: error.code, message: error.message, remedy: error.remedy } }
  }
}

function recognized(bytes: Uint8Array, { of, page, limits }: RecognizedPage & { limits: ParseLimits }): ParsedDocument {
  const parts = new Parts(limits)
  parts.add({ unit: of === 'pdf' ? 'page' : 'section', number: page, text: Buffer.from(bytes).toString() })
  return { kind: of, notes: [], parts: parts.list }
}

function errorOf(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  const reason = reasonOf(thrown)
  return isOutOfMemory(reason) ? tooMuchMemory() : damaged(reason)
}

/**
 * A parsed document is kept for everybody who has the same bytes. Of the name, only the part that tells what kind of
 * text it is gets in, and that is part of the key under which the document is kept.
 */
const namedLike = (name: string): string => `file${namedSuffix(name)}`

/** The most characters of a title, and of all notes. */
const nameCharacters = 500
const notesCharacters = 20_000

/** Parsers limit the parts; everything else may be as long as a file makes it. */
function bounded({ kind, notes, parts }: ParsedDocument): ParsedDocument {
  let room = notesCharacters
  const kept = [...notes]
  // What says that something is missing comes first: otherwise a part would count as all of it.
  for (const isFirst of [true, false])
    for (const [index, note] of notes.entries()) {
      if (isAboutCut(note) !== isFirst) continue
      kept[index] = note.slice(0, Math.max(0, room)).toWellFormed()
      room -= note.length
    }
  return { kind, notes: kept.filter((note) => note !== ''), parts: parts.map(named) }
}

const named = ({ name, ...piece }: DocumentPiece): DocumentPiece =>
  name === undefined ? piece : { ...piece, name: name.slice(0, nameCharacters).toWellFormed() }

const channel = new Socket({ fd: 3, readable: true, writable: true })
const frames = framesIn(channel, () => ({ message: Infinity, bytes: Infinity }))
const say = (message: unknown) => channel.write(frameOf(message, 0))

/** One batch at a time: the next is sent once the last has been taken. */
async function send(batch: Batch): Promise<void> {
  say(batch)
  await frames.next()
}

// A rejection that a library left behind must not end the reading of the next file.
process.on('unhandledRejection', () => {})

say('ready')
for (let next = await frames.next(); next.value !== undefined; next = await frames.next()) {
  const answer = await run(next.value)
  if ('picture' in answer) {
    channel.write(frameOf({ isPicture: true }, answer.picture.length))
    channel.write(answer.picture)
  } else say(answer)
}
process.exit()
