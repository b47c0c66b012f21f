/** Whether a name fits a pattern: a `*` at its end matches any ending. */
export const fitsName = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
