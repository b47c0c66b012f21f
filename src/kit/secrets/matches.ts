/** Like `matchAll`. That copies the expression, which takes longer than to see that a short text has no match. */
export function matchesIn(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  const first = text.search(pattern)
  if (first === -1) return []
  // The copy begins there, too.
  pattern.lastIndex = first
  const matches = text.matchAll(pattern)
  pattern.lastIndex = 0
  return matches
}
