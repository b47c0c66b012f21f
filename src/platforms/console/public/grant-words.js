/** What "always" means, in words: on the card, and on the page that lists what was given. */

const hourMs = 3_600_000

/** How long a grant holds, as offered; the last is without end. */
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

/** What a choice allows besides this call. */
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

/** What was chosen, for the card's outcome. */
export const choiceWords = ({ pattern, scope, forMs }, isClosed = false) =>
  isClosed && pattern === 'wide'
    ? 'always anything in the closed sandbox, in this thread, until tomorrow'
    : `always ${pattern === 'wide' ? 'also calls like it' : 'exactly this'}, ${scopeWords[scope] ?? scope}, ${durationWords(forMs)}`
