import type { ChunkHit } from './closer.ts'

/**
 * Reciprocal rank fusion: how little it matters whether something was first or third. 60 is usual where lists are long;
 * here the first of a list is worth more than what is in the middle of several (`npm run bench:search`).
 */
const rankDamping = 10

/** The weight of a ranking by meaning next to one by words that matches the whole question (`npm run bench:search`). */
const meaningShare = 0.3

/**
 * Merges several rankings into one. The better the first hit of a ranking by words, the more that ranking counts, so
 * wording that fits nothing has little influence. Next to a ranking by meaning, it also counts less if that hit
 * contains less of the question. A single ranking stays as it is.
 */
export function joinedHits(byWords: ChunkHit[][], byMeaning: ChunkHit[][] = []): ChunkHit[] {
  if (byWords.length + byMeaning.length < 2) return byWords[0] ?? []
  const trust = (first: ChunkHit) => (byMeaning.length === 0 ? 1 : first.share)
  const joined = new Map<number, ChunkHit>()
  for (const { list, weight } of [...weighed(byWords, trust), ...weighed(byMeaning, () => meaningShare)]) {
    for (const [rank, hit] of list.entries()) {
      const score = weight / (rankDamping + rank + 1)
      const known = joined.get(hit.id) ?? { ...hit, spans: [], focus: [], score: 0 }
      const [spans, focus] = [known.spans.concat(hit.spans), known.focus.concat(hit.focus)]
      joined.set(hit.id, { ...known, spans, focus, score: known.score + score })
    }
  }
  return [...joined.values()].toSorted((a, b) => b.score - a.score || a.id - b.id)
}

function weighed(lists: ChunkHit[][], trust: (first: ChunkHit) => number): { list: ChunkHit[]; weight: number }[] {
  const best = Math.max(Number.MIN_VALUE, ...lists.map(([first]) => first?.score ?? 0))
  return lists.flatMap((list) => {
    const [first] = list
    return first === undefined ? [] : [{ list, weight: (trust(first) * first.score) / best }]
  })
}
