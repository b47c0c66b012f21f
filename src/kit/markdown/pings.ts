/** Stands between two characters, is not seen, and no line breaks at it. */
const wordJoiner = '\u2060'

const url = /https?:\/\/[^\s()<>/]+\/[^\s()<>]*/g

/**
 * Text in which nothing is a mention, and which looks the same: in code too, since platforms do not agree on what code is.
 * Each pattern matches the beginning of a mention and has the flag g.
 */
export function defusePings(markdown: string, patterns: RegExp[]): string {
  // An address with another character in it would lead elsewhere.
  const inUrls = markdown.replace(url, (address) => replaced(address, patterns, (mark) => encodeURIComponent(mark)))
  return replaced(inUrls, patterns, (mark) => `${mark}${wordJoiner}`)
}

const replaced = (text: string, patterns: RegExp[], instead: (mark: string) => string): string =>
  patterns.reduce((all, one) => all.replace(one, (ping) => instead(ping.slice(0, 1)) + ping.slice(1)), text)
