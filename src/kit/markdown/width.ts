import { segmentsOf } from '../text/segments.ts'

/** What fixed-width fonts show two columns wide: East Asian characters and emoji. */
const wide =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|^\p{Emoji_Presentation}|\uFE0F/u
const unseen = /^[\p{M}\p{C}]+$/u

/** The columns that a text takes in a fixed-width font. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of segmentsOf(text, 'grapheme')) width += wide.test(segment) ? 2 : unseen.test(segment) ? 0 : 1
  return width
}
