/** A message without its quoted lines, which are somebody else's words. */
export const ownWords = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^>(?: |$)/.test(line))
    .join('\n')
    .trim()
