/**
 * A letter with marks of its own, or a Korean syllable in its parts: how a Mac may write them (NFD). No language needs
 * more marks, and to put thousands in order takes long.
 */
const inParts = /\P{M}\p{M}{1,4}|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?/gu
const part = /[\p{M}\u1161-\u1175]/u

export interface Composed {
  text: string
  /** From an offset in it to the one in the original; called with growing offsets, none within a letter. */
  origin(offset: number): number
}

/** A text whose letters are in one piece each where Unicode has one, as in NFC. */
export function composed(original: string): Composed {
  if (!part.test(original)) return asItIs(original)
  const shifts: { from: number; by: number }[] = []
  let left = 0
  const text = original.replace(inParts, (parts, at: number) => {
    const joined = parts.normalize('NFC')
    // A few Indian letters get longer, and stay as they are where no mark follows.
    const whole = joined.length > parts.length ? parts : joined
    const from = at - left + whole.length
    left += parts.length - whole.length
    if (whole.length !== parts.length) shifts.push({ from, by: left })
    return whole
  })
  let next = 0
  const origin = (offset: number) => {
    while ((shifts[next]?.from ?? Number.POSITIVE_INFINITY) <= offset) next++
    return offset + (shifts[next - 1]?.by ?? 0)
  }
  return { text, origin }
}

const asItIs = (text: string): Composed => ({ text, origin: (offset) => offset })

/** `\p{M}`, `\x{301}`, `\u0301`. */
const namesMarks = /\\p(M|\{\^?M)|\\x\{0*3[0-6][\da-f]\}|\\u03[0-6]/i

/** How a line is searched for an expression: as it is if that names marks, which is about how letters are written. */
export const lineFor = (expression: string): ((line: string) => Composed) =>
  namesMarks.test(expression) ? asItIs : composed
