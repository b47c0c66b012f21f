import type { StoredTurn } from '../store/turns.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** So much later than it was said, in words. */
function span(ms: number): string {
  const [count, unit] = ms >= 2 * dayMs ? [Math.round(ms / dayMs), 'days'] : [Math.round(ms / hourMs), 'hours']
  return `${count} ${unit}`
}

function timeOf(at: number, timeZone: string): string {
  const format: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }
  try {
    return new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).format(at)
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }).format(at)
  }
}

/** For the model, below what was said: undefined when it is not late. */
export function lateNote(at: number | undefined, now: number, lateMs: number, timeZone: string): string | undefined {
  if (at === undefined || now - at < lateMs) return undefined
  return `Said on ${timeOf(at, timeZone)}, and read ${span(now - at)} later: it may be settled by now.`
}

/** For the thread, above the answer: people must not take it for an answer to something new. */
export function lateWords(at: number, { person, startedAt, timeZone }: StoredTurn): string {
  return `_${person.name} wrote this on ${timeOf(at, timeZone)}, and I only got to it ${span(startedAt - at)} later. Let me know if you still need it._`
}
