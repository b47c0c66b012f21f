import type { FoundSecret } from './mask.ts'

/**
 * What one rule found. `weight` says how certain the kind is: 2 the bot's own, 1 a provider's form, 0 a name with a
 * value.
 *
 */
export interface SecretSpan extends FoundSecret {
  weight: 0 | 1 | 2
}

/** No secret recognised by form is longer, in UTF-16 units. Longer ones are found in part. */
export const maxSecret = 20_000

/** Merges overlapping spans; the result has the most certain kind (then the first). In the order of the text. */
export function merged(spans: SecretSpan[]): FoundSecret[] {
  const result: SecretSpan[] = []
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last !== undefined && span.start < last.end) {
      last.end = Math.max(last.end, span.end)
      if (span.weight > last.weight) Object.assign(last, { kind: span.kind, weight: span.weight })
    } else {
      result.push({ ...span })
    }
  }
  return result.map(({ start, end, kind }) => ({ start, end, kind }))
}

const wordCharacter = /[\p{L}\p{N}]/u

/**
 * Whether a letter or digit stands right before `at` that isn't the end of an escape such as `\n`, `%20` or `\u003d`.
 */
export function isJoined(text: string, at: number): boolean {
  if (at === 0 || !wordCharacter.test(text.charAt(at - 1))) return false
  return !/(?:\\[nrtbf]|%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2})$/i.test(text.slice(Math.max(0, at - 6), at))
}
