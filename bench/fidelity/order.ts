export interface OrderScore {
  right: number
  count: number
  wrong: string[]
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Enough letters to tell most sentences apart. */
const shortest = 10

/** Of sentences of `blocks` that follow one another: how many still do, with none of the others between them. */
export function scoreOrder(blocks: string[], whole: string, found: string): OrderScore {
  const expected = bare(whole)
  const text = bare(found)
  const beginnings = blocks
    .flatMap((block) => Array.from(sentences.segment(block), ({ segment }) => bare(segment)))
    .map((sentence) => beginningOf(sentence, expected))
    .filter((beginning) => beginning !== undefined)
  const places = beginnings.map((beginning) => text.indexOf(beginning))
  const sorted = places.filter((place) => place >= 0).toSorted((a, b) => a - b)
  const ranks = new Map(sorted.map((place, rank) => [place, rank]))
  const score: OrderScore = { right: 0, count: Math.max(0, beginnings.length - 1), wrong: [] }
  for (let index = 1; index < beginnings.length; index++) {
    const [before, after] = [ranks.get(places[index - 1] ?? -1), ranks.get(places[index] ?? -1)]
    if (before !== undefined && after === before + 1) score.right++
    else {
      const how = before === undefined || after === undefined ? 'is not found whole' : 'is not followed'
      score.wrong.push(`"${beginnings[index - 1]}…" ${how} by "${beginnings[index]}…"`)
    }
  }
  return score
}

const bare = (text: string): string => text.replace(/[\s\u00ad]+/g, '')

/** The first letters, as many as stand only once in the text. */
function beginningOf(sentence: string, text: string): string | undefined {
  for (let length = shortest; length <= sentence.length; length += 2) {
    const beginning = sentence.slice(0, length)
    if (text.indexOf(beginning) === text.lastIndexOf(beginning)) return beginning
  }
  return undefined
}
