/** Describes what "always" allows, for the card and for the list of grants. */
import { say } from './words.js'

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

export const closedReach = say.allowsEveryCommandScript()

/** What the choice allows besides this call. */
export function reachOf(pattern, patterns, runs) {
  if (pattern === 'wide') return say.allowsMatching({ patterns: patterns.length, runs: runs.length })
  return say.allowsExactly({ runs: runs.length })
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
