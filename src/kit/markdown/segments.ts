import { segmentsOf } from '../text/segments.ts'

/** Scripts that are written without spaces between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

/** Where each character as people see it starts, except the first. */
export function* graphemeStarts(text: string): Generator<number> {
  for (const { index } of segmentsOf(text, 'grapheme')) if (index > 0) yield index
}

/** Where sentences start, except the first. */
export function* sentenceStarts(text: string): Generator<number> {
  for (const { index } of segmentsOf(text, 'sentence')) if (index > 0) yield index
}

/** Where words start that no space separates from what is before them, as in Chinese. */
export function* unspacedWordStarts(text: string): Generator<number> {
  if (!unspaced.test(text)) return
  let before = ''
  for (const { index, segment, isWordLike } of segmentsOf(text, 'word')) {
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
  const from = start > 0 ? (segmentsOf(text.slice(0, most + 1), 'grapheme').containing(start)?.index ?? 0) : 0
  let end = from
  for (const { index, segment } of segmentsOf(text.slice(from, most + 1_000), 'grapheme')) {
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
