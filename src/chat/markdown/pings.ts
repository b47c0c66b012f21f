/** Invisible, no white space, and no line is broken at it. */
const joiner = '\u2060'
const url = /[a-z][a-z\d+.-]{1,31}:\/\/[^\s<>()[\]{}|"'`,;]+/.source

/**
 * The text with nothing in it that wakes people, looking as before: each match of a pattern is parted behind its first
 * character, in code too. In an address, where that would lead elsewhere, the @ is written %40. The patterns must be
 * such that a parted match is none; their flags do not count, and letters match in either case.
 */
export function defusePings(markdown: string, patterns: readonly RegExp[]): string {
  const pings = patterns.map(({ source }) => `(?:${source})`).join('|')
  const any = new RegExp(pings, 'giu')
  return markdown.replace(new RegExp(`${url}|${pings}`, 'giu'), (found) =>
    found.includes('://') ? found.replace(any, (ping) => ping.replace('@', '%40')) : parted(found),
  )
}

const parted = (ping: string): string => `${ping.slice(0, 1)}${joiner}${ping.slice(1)}`
