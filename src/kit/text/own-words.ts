/** A message without its quoted lines, which are somebody else's words. */
export const ownWords = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^>(?: |$)/.test(line))
    .join('\n')
    .trim()

/** Fenced and inline code, as on the platforms. */
const code = /```[\s\S]*?(?:```|$)|``[^`]*``|`[^`\n]*`/g

/** A message without its quoted lines and its code, where an @ or # names nothing. */
export const plainOwnWords = (text: string): string => ownWords(text).replace(code, ' ')
