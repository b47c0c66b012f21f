import type { Span } from '../../../kit/text/span.ts'

/** Where a word was found: which of the text's words it is, and which concept it matches. */
export interface WordPlace extends Span {
  at: number
  concept: number
  /** The weight of this form of the word. */
  weight: number
}

/** A window with many of the words. */
export interface Window extends Span {
  /** The sum of the weights of its different words. */
  value: number
  /** 1 if they stand side by side, falling towards 0 as they move apart; 0 for a single word. */
  nearness: number
}

/** Words in a window: about a long sentence. */
const windowWords = 30

/** The best window: many different words, close together. `places`: in order; `rarities`: of each concept. */
export function bestWindow(places: WordPlace[], rarities: number[]): Window {
  let best: Window = { start: 0, end: 0, value: 0, nearness: 0 }
  let worth = -1
  for (const [index, last] of places.entries()) {
    // Going back from each word, so that a window has a bounded number of words.
    const weights = new Map<number, number>()
    let value = 0
    for (let from = index; from >= 0; from--) {
      const place = places[from]
      if (place === undefined || last.at - place.at >= windowWords) break
      const known = weights.get(place.concept) ?? 0
      if (place.weight <= known) continue
      weights.set(place.concept, place.weight)
      value += (rarities[place.concept] ?? 0) * (place.weight - known)
      const nearness = weights.size < 2 ? 0 : Math.min(1, (weights.size - 1) / Math.max(1, last.at - place.at))
      if (value * (1 + nearness) <= worth) continue
      worth = value * (1 + nearness)
      best = { start: place.start, end: last.end, value, nearness }
    }
  }
  return best
}
