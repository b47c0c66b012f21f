/** An invisible character between two others; no line breaks at it. */
const wordJoiner = '\u2060'

const url = /https?:\/\/[^\s()<>/]+\/[^\s()<>]*/g

/**
 * The same text to look at, but without mentions: also in code, since platforms disagree about what code is.
 * Each pattern matches the beginning of a mention and has the flag g.
 */
export function defusePings(markdown: string, patterns: RegExp[]): string {
  // An address with another character in it would lead elsewhere.
  const inUrls = markdown.replace(url, (address) => replaced(address, patterns, (mark) => encodeURIComponent(mark)))
  return replaced(inUrls, patterns, (mark) => `${mark}${wordJoiner}`)
}

const replaced = (text: string, patterns: RegExp[], instead: (mark: string) => string): string =>
  patterns.reduce((all, one) => all.replace(one, (ping) => instead(ping.slice(0, 1)) + ping.slice(1)), text)
