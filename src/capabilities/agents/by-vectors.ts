import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readNote, writeNote } from '../../store/notes.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import type { Choice } from './by-words.ts'
import type { AgentsSettings } from './settings.ts'

/** Where the vectors of what agents and routes are for are kept. */
const noteName = 'agents: vectors'

const kept = z.object({ model: z.string(), vectors: z.record(z.string(), z.string()) })

/**
 * The choice whose purpose and words are nearest in meaning to a request, as the embedding model has it; undefined if
 * none is near enough. Throws ModelFailure.
 */
export async function nearest(
  request: string,
  choices: readonly Choice[],
  settings: AgentsSettings,
  { bot, session }: ModelScope,
  signal: AbortSignal,
): Promise<Choice | undefined> {
  const { embed, config, store } = bot
  const { embedding } = config.model
  if (embed === undefined || embedding === undefined || choices.length === 0) return undefined
  const model = JSON.stringify([embedding.id, embedding.baseUrl, embedding.dimensions ?? 0])
  const note = await store.readPatiently(session.id, (db) => readNote(db, noteName))
  const known = knownVectors(note, model)
  const texts = choices.map((choice) => textOf(choice, settings))
  const missing = [...new Set(texts.filter((text) => !known.has(keyOf(text))))]
  const [asked, ...made] = await embed(session.id, { texts: [request, ...missing], tool: 'agents' }, signal)
  if (asked === undefined) return undefined
  for (const [place, text] of missing.entries()) known.set(keyOf(text), made[place] as Float32Array)
  if (missing.length > 0) {
    // What isn't used any more is dropped.
    const vectors = Object.fromEntries(texts.map((text) => [keyOf(text), written(known.get(keyOf(text)))]))
    await store.patiently(session.id, (tx) => writeNote(tx, noteName, JSON.stringify({ model, vectors })))
  }
  const near = texts.map((text) => alike(asked, known.get(keyOf(text))))
  const most = Math.max(...near)
  return most >= settings.meaningAtLeast ? choices[near.indexOf(most)] : undefined
}

/** What a choice is for, with the words that choose it, whether or not words alone may do so. */
function textOf({ name, about = '', words }: Choice, { agents }: AgentsSettings): string {
  const all = new Set([...words, ...(agents.get(name)?.triggers ?? [])])
  return [about, [...all].join(', ')].filter((part) => part !== '').join('\n')
}

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64')

function knownVectors(note: string | undefined, model: string): Map<string, Float32Array> {
  if (note === undefined) return new Map()
  const { model: by, vectors } = kept.parse(JSON.parse(note))
  if (by !== model) return new Map()
  return new Map(Object.entries(vectors).map(([key, value]) => [key, read(value)]))
}

const written = (vector: Float32Array | undefined): string =>
  vector === undefined ? '' : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')

function read(value: string): Float32Array {
  // A copy, because a view has to begin at a multiple of four.
  const { buffer } = new Uint8Array(Buffer.from(value, 'base64'))
  return new Float32Array(buffer)
}

/** The cosine of vectors of unit length; 0 if they can't be compared. */
const alike = (one: Float32Array, other: Float32Array | undefined): number =>
  one.length === other?.length ? one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0) : 0
