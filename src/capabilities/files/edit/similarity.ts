/** Each two neighbouring characters as one number, in order. */
function* pairsIn(text: string): Generator<number> {
  for (let at = 1; at < text.length; at++) yield text.charCodeAt(at - 1) * 0x1_00_00 + text.charCodeAt(at)
}

/**
 * How similar texts are to this one, 0 to 1: the share of pairs of neighbouring characters that they have in common
 * (Dice). Less than `least` is 0.
 */
export function similarTo(sought: string, least: number): (text: string) => number {
  const wanted = new Map<number, number>()
  for (const pair of pairsIn(sought)) wanted.set(pair, (wanted.get(pair) ?? 0) + 1)
  return (text) => {
    if (text === sought) return 1
    const all = Math.max(1, text.length + sought.length - 2)
    // Two texts can't share more than the shorter one has, which is cheap to check.
    if ((2 * Math.min(text.length, sought.length)) / all < least) return 0
    const found = new Map<number, number>()
    let common = 0
    for (const pair of pairsIn(text)) {
      const most = wanted.get(pair)
      if (most === undefined) continue
      const count = (found.get(pair) ?? 0) + 1
      found.set(pair, count)
      if (count <= most) common++
    }
    const score = (2 * common) / all
    return score >= least ? score : 0
  }
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
  const score = similarTo(sought.slice(0, 500), 0.4)
  return text
    .split('\n', hintLines)
    .map((line, index) => ({ number: index + 1, line, score: score(line.trim().slice(0, 500)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
}
