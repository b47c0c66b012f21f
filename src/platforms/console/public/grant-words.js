/** Describes what "always" allows, for the card and for the list of grants. */

const hourMs = 3_600_000

/** The durations offered for a grant; the last one has no end. */
export const durations = [
  { id: 'hour', label: '1 hour', ms: hourMs },
  { id: 'day', label: '1 day', ms: 24 * hourMs },
  { id: 'month', label: '30 days', ms: 30 * 24 * hourMs },
  { id: 'ever', label: 'until it is revoked', ms: undefined },
]

export const scopes = ['thread', 'channel', 'tenant']

export const scopeWords = { thread: 'in this thread', channel: 'in this channel', tenant: 'everywhere here' }

export const closedReach =
  'Allows every command and script in this thread until the end of tomorrow. They run in the closed sandbox: they can read this thread’s files and write only to outputs/ and temp/, and they have no network. I still ask when a rule says so (such as for rm -rf or pip install).'

/** What the choice allows besides this call. */
export function reachOf(pattern, patterns, runs) {
  const ends = runs.length > 0 ? ' It ends when a file that it runs changes.' : ''
  if (pattern === 'wide') {
    const each = patterns.length > 1 ? 'whose every part fits one of these or is allowed anyway' : 'that fits this'
    return `Allows every later call ${each}. * stands for any text, including several words.${ends}`
  }
  return `Allows exactly this call and nothing else.${ends}`
}

function durationWords(forMs) {
  if (forMs === undefined) return 'until it is revoked'
  const known = durations.find(({ ms }) => ms === forMs)
  return `for ${known ? known.label : `${Math.round(forMs / 60_000)} minutes`}`
}

/** The choice in words, for the card's outcome. */
export const choiceWords = ({ pattern, scope, forMs }, isClosed = false) =>
  isClosed && pattern === 'wide'
    ? 'always anything in the closed sandbox, in this thread, until tomorrow'
    : `always ${pattern === 'wide' ? 'also calls like it' : 'exactly this'}, ${scopeWords[scope] ?? scope}, ${durationWords(forMs)}`
