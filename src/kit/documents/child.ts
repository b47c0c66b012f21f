import { Socket } from 'node:net'
import { Failure, reasonOf } from '../failure.ts'
import { namedSuffix } from '../files/document-kind.ts'
import { batchesOf, isMoreThan, mostOf } from './chunks/batches.ts'
import { parsedOf } from './chunks/parsed.ts'
import type { ParsedDocument } from './document.ts'
import { type Frame, frameOf, framesIn } from './frames.ts'
import { damaged, isOutOfMemory, type ParseLimits, Parts, tooComplex, tooMuchMemory } from './parse.ts'
import { parseFile } from './parse-file.ts'
import type { ReadRequest, ReadResult, RecognizedPage } from './read-request.ts'

// The program of a reader, and the only place where parsers run. It keeps nothing from one file to the next.

async function run({ message, bytes }: Frame): Promise<ReadResult> {
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
    if (request.kind === 'recognized') return parsedOf(recognized(bytes, request))
    const { name, password, limits } = request
    const file = { name: namedLike(name), bytes, ...(password === undefined ? {} : { password }) }
    const parsed = parsedOf(bounded(await parseFile(file, limits)))
    if (isMoreThan(mostOf(limits), parsed)) throw tooComplex('it has too many words')
    return parsed
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
  const kept = notes.flatMap((note) => {
    const piece = note.slice(0, Math.max(0, room)).toWellFormed()
    room -= note.length
    return piece === '' ? [] : [piece]
  })
  return {
    kind,
    notes: kept,
    parts: parts.map(({ name, ...part }) =>
      name === undefined ? part : { ...part, name: name.slice(0, nameCharacters).toWellFormed() },
    ),
  }
}

const channel = new Socket({ fd: 3, readable: true, writable: true })
const frames = framesIn(channel, () => ({ message: Infinity, bytes: Infinity }))
const say = (message: unknown) => channel.write(frameOf(message, 0))

/** One batch at a time: the next is sent once the last has been taken. */
async function answer(outcome: ReadResult): Promise<void> {
  if ('error' in outcome || 'webPage' in outcome) return void say(outcome)
  if ('picture' in outcome) {
    channel.write(frameOf({ isPicture: true }, outcome.picture.length))
    return void channel.write(outcome.picture)
  }
  for (const batch of batchesOf(outcome)) {
    say(batch)
    if (!batch.isLast) await frames.next()
  }
}

// A rejection that a library left behind must not end the reading of the next file.
process.on('unhandledRejection', () => {})

say('ready')
for (let next = await frames.next(); next.value !== undefined; next = await frames.next()) {
  await answer(await run(next.value))
}
process.exit()
