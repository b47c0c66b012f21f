import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { ParsedDocument } from '../domain/document.ts'
import { BobbinError, reasonOf } from '../domain/errors.ts'
import { batchesOf } from './index/batches.ts'
import { parsedOf } from './index/parsed.ts'
import { damaged } from './parse.ts'
import { parseFile } from './parse-file.ts'
import type { Job, Outcome } from './pool.ts'

// The only place where parsers run. It holds nothing between two files.

async function run(job: Job): Promise<Outcome> {
  try {
    if ('page' in job) {
      const { readPage } = await import('./parsers/web-page.ts')
      return { webPage: readPage(job.page, job.mostCharacters) }
    }
    const { file, limits } = job
    return parsedOf(bounded(await parseFile({ ...file, name: namedLike(file.name) }, limits)))
  } catch (thrown) {
    const error = thrown instanceof BobbinError ? thrown : damaged(reasonOf(thrown))
    return { error: { code: error.code, message: error.message, remedy: error.remedy } }
  }
}

/**
 * What is read is kept for everybody who has the same bytes: of what somebody called them, no more comes in than what
 * tells the kind of a text, and is a part of the key under which it is kept.
 */
const namedLike = (name: string): string => `file${/\.(csv|tsv|eml)$/i.exec(name)?.[0].toLowerCase() ?? ''}`

/** A title, and all that is noted: characters. */
const nameCharacters = 500
const notesCharacters = 20_000

/** Parts are bounded by the parsers; what stands beside them may be as long as a file makes it. */
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

/** One batch at a time: the next is sent when the last has been taken. */
async function answer(port: MessagePort, outcome: Outcome): Promise<void> {
  if ('error' in outcome || 'webPage' in outcome) return port.postMessage(outcome)
  for (const batch of batchesOf(outcome)) {
    port.postMessage(batch)
    if (!batch.isLast) await once(port, 'message')
  }
}

// What a library leaves behind that nobody waits for any more must not end the next file's reading.
process.on('unhandledRejection', () => {})

parentPort?.on('message', async (message: Job | 'more') => {
  if (message !== 'more' && parentPort !== null) await answer(parentPort, await run(message))
})
