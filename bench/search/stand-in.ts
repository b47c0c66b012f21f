import { createHash } from 'node:crypto'
import { getLoadablePath } from 'sqlite-vec'
import type { VectorOptions } from '../../src/capabilities/documents/index/vectors.ts'
import { fold } from '../../src/kit/documents/chunks/fold.ts'
import { isFrequent } from '../../src/kit/documents/chunks/languages.ts'

// Stands in for an embedding model, so that the bench needs no network: it knows how words are written, not what they
// mean. A real model finds more.

const dimensions = 1024

/** Hashed character n-grams of each word, 3 to 5 characters long, with its beginning and end; frequent words left out. */
export function standInVector(text: string): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const folded = fold(word)
    if (isFrequent(folded)) continue
    for (const { at, sign } of placesOf(folded)) vector[at] = (vector[at] ?? 0) + sign
  }
  // What a text repeats says little more than what it says once.
  const damped = vector.map((value) => Math.sign(value) * Math.log1p(Math.abs(value)))
  const length = Math.hypot(...damped) || 1
  return damped.map((value) => value / length)
}

const known = new Map<string, { at: number; sign: number }[]>()

function placesOf(word: string): { at: number; sign: number }[] {
  const places = known.get(word) ?? gramsOf(word).map(placeOf)
  known.set(word, places)
  return places
}

function placeOf(gram: string): { at: number; sign: number } {
  const hash = createHash('md5').update(gram).digest()
  return { at: hash.readUInt32LE(0) % dimensions, sign: (hash[4] ?? 0) % 2 === 0 ? 1 : -1 }
}

function gramsOf(word: string): string[] {
  const framed = `<${word}>`
  const grams = [framed]
  for (let size = 3; size <= 5; size++)
    for (let at = 0; at + size <= framed.length; at++) grams.push(framed.slice(at, at + size))
  return grams
}

export const standInVectors: VectorOptions = {
  model: 'hashed character n-grams',
  mostChunks: 100_000,
  make: async (_, texts) => texts.map(standInVector),
  extension: getLoadablePath(),
}
