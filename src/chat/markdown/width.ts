import { graphemesOf } from './segments.ts'

/** East Asian characters that take two cells. */
const wide =
  /^[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]/u
const emoji = /^\p{Emoji_Presentation}|\uFE0F/u
const invisible = /^[\p{M}\p{C}]+$/u

/** How many cells a text takes where every character is as wide as the others: Chinese ones and emoji take two. */
export function cellsOf(text: string): number {
  let cells = 0
  for (const grapheme of graphemesOf(text)) {
    if (invisible.test(grapheme)) continue
    cells += wide.test(grapheme) || emoji.test(grapheme) ? 2 : 1
  }
  return cells
}
