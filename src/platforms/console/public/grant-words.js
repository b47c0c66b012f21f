/** Describes what "always" allows, for the card and for the list of grants. */
import { say } from './words.js'

const hourMs = 3_600_000

/** The durations offered for a grant; the last one has no end. */
export const durations = [
  { id: 'hour', label: say.oneHour(), ms: hourMs },
  { id: 'day', label: say.oneDay(), ms: 24 * hourMs },
  { id: 'month', label: say.thirtyDays(), ms: 30 * 24 * hourMs },
  { id: 'ever', label: say.untilRevoked(), ms: undefined },
]

export const scopes = ['thread', 'channel', 'tenant']

export const scopeWords = {
  thread: say.threadScope(),
  channel: say.channelScope(),
  tenant: say.everywhereHereShort(),
}

export const closedReach = say.allowsClosed()

/** What the choice allows besides this call. */
export function reachOf(pattern, patterns, runs) {
  if (pattern === 'wide') return say.allowsMatching({ patterns: patterns.length, runs: runs.length })
  return say.allowsExactly({ runs: runs.length })
}

function durationWords(forMs) {
  if (forMs === undefined) return say.untilRevoked()
  const known = durations.find(({ ms }) => ms === forMs)
  return known ? say.forTime({ time: known.label }) : say.forMinutes({ count: Math.round(forMs / 60_000) })
}

/** The choice in words, for the card's outcome. */
export const choiceWords = ({ pattern, scope, forMs }, isClosed = false) => {
  if (isClosed && pattern === 'wide') return say.alwaysClosed()
  const where = scopeWords[scope] ?? scope
  const time = durationWords(forMs)
  return pattern === 'wide' ? say.alwaysWide({ where, time }) : say.alwaysExact({ where, time })
}
