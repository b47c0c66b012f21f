import { compounds } from '../../../kit/documents/chunks/languages.ts'
import { termsFor } from '../../../kit/documents/chunks/terms.ts'
import { containing, type Near, nearest } from '../../../kit/documents/chunks/vocabulary.ts'
import type { Concept } from './query.ts'
import type { WordList } from './word-lists.ts'

/** The weight of a word that begins with the one asked for, contains it, or is part of it. */
const beginsWeight = 0.6
const containsWeight = 0.4
const partWeight = 0.3

/** Shorter words are part of too many others. */
const fewest = 4

const maxSimilar = 12

/** From this length on, two typos are forgiven. */
const longWord = 8

/** Words that other words of the documents may stand in for. */
export const isWidened = ({ isWord, written }: Concept): boolean => isWord && written.length >= fewest

/** Adds longer and shorter words of the documents that contain the ones asked for or are part of them. */
export function widen(concepts: Concept[], { languages, block, words }: WordList): void {
  const terms = termsFor(languages)
  const isCompounding = compounds(languages)
  for (const concept of concepts) {
    const { written, similar, terms: own } = concept
    if (!isWidened(concept) || similar.size >= maxSimilar) continue
    const add = (word: string, weight: number) => {
      for (const stem of terms.stems(word)) {
        if (own.includes(stem) || similar.size >= maxSimilar) continue
        similar.set(stem, Math.max(weight, similar.get(stem) ?? 0))
      }
    }
    const stem = own.find((term) => term.length >= fewest && written.startsWith(term)) ?? written
    for (const word of containing(block, `\n${stem}`, maxSimilar)) add(word, beginsWeight)
    if (!isCompounding) continue
    for (const word of containing(block, stem, maxSimilar * 4))
      add(word, word.startsWith(stem) ? beginsWeight : containsWeight)
    for (let length = fewest; length <= written.length - fewest + 1; length++) {
      for (const part of [written.slice(0, length), written.slice(-length)]) if (words.has(part)) add(part, partWeight)
    }
  }
}

/** The words nearest to one that no document contains. */
export function forgive(blocks: Iterable<string>, written: string): Near[] {
  if (written.length < fewest || /\d/.test(written)) return []
  let limit = written.length >= longWord ? 2 : 1
  const found = new Map<string, Near>()
  for (const block of blocks) {
    for (const near of nearest(block, written, limit)) {
      limit = Math.min(limit, near.distance)
      found.set(near.folded, near)
    }
  }
  return [...found.values()].filter(({ distance }) => distance <= limit).slice(0, 5)
}
