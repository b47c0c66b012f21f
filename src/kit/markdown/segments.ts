const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const words = new Intl.Segmenter('en', { granularity: 'word' })
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Scripts that are written without spaces between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

/** Where each character as people see it starts, except the first. */
export function* graphemeStarts(text: string): Generator<number> {
  for (const { index } of graphemes.segment(text)) if (index > 0) yield index
}

/** Where sentences start, except the first. */
export function* sentenceStarts(text: string): Generator<number> {
  for (const { index } of sentences.segment(text)) if (index > 0) yield index
}

/** Where words start that no space separates from what is before them, as in Chinese. */
export function* unspacedWordStarts(text: string): Generator<number> {
  if (!unspaced.test(text)) return
  let before = ''
  for (const { index, segment, isWordLike } of words.segment(text)) {
    if (isWordLike && before !== '' && /[^\s\p{Ps}\p{Pi}]$/u.test(before) && unspaced.test(segment + before))
      yield index
    before = segment
  }
}

/**
 * The longest beginning of a text that has at most this many UTF-16 units and ends on a whole grapheme, if there is
 * one.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  // A grapheme has at most some ten units, unless somebody is playing with it.
  const start = Math.max(0, most - 1_000)
  const from = start > 0 ? (graphemes.segment(text.slice(0, most + 1)).containing(start)?.index ?? 0) : 0
  let end = from
  for (const { index, segment } of graphemes.segment(text.slice(from, most + 1_000))) {
    if (from + index + segment.length > most) break
    end = from + index + segment.length
  }
  return end > 0
    ? text.slice(0, end)
    : text
        .slice(0, most)
        .toWellFormed()
        .replace(/\uFFFD$/, '')
}
