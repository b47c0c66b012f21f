function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>()
  for (let index = 0; index < text.length - 1; index++) {
    const pair = text.slice(index, index + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** How similar two texts are, 0 to 1: the share of pairs of neighbouring characters that they have in common (Dice). */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  const [ours, theirs] = [pairsOf(a), pairsOf(b)]
  let common = 0
  for (const [pair, count] of ours) common += Math.min(count, theirs.get(pair) ?? 0)
  return (2 * common) / Math.max(1, a.length + b.length - 2)
}

/** How many lines are compared for a hint: it is only a hint and must not take long. */
const hintLines = 20_000

export interface NearLine {
  number: number
  line: string
}

/** Up to three lines that resemble the first line of the wanted text, best first. */
export function nearestLines(text: string, old: string): NearLine[] {
  const sought =
    old
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  return text
    .split('\n', hintLines)
    .map((line, index) => ({
      number: index + 1,
      line,
      score: similarity(line.trim().slice(0, 500), sought.slice(0, 500)),
    }))
    .filter(({ score }) => score >= 0.4)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
}
