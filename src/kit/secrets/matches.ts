/** Like `matchAll`. That copies the expression, which takes longer than to see that a short text has no match. */
export const matchesIn = (text: string, pattern: RegExp): Iterable<RegExpExecArray> =>
  text.search(pattern) === -1 ? [] : text.matchAll(pattern)
