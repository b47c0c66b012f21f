import { knownZone } from '../../kit/calendar/zone.ts'
import type { StoredTurn } from '../../store/turns.ts'
import { turnWords } from '../port/words.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How much later than it was said, in words for the model. */
function span(ms: number): string {
  const [count, unit] = ms >= 2 * dayMs ? [Math.round(ms / dayMs), 'days'] : [Math.round(ms / hourMs), 'hours']
  return `${count} ${unit}`
}

const timeOf = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: knownZone(timeZone),
  }).format(at)

/** Tells the model below a message how late it is; undefined when it isn't late. */
export function lateNote(at: number | undefined, now: number, lateMs: number, timeZone: string): string | undefined {
  if (at === undefined || now - at < lateMs) return undefined
  return `Said on ${timeOf(at, timeZone)}, and read ${span(now - at)} later: it may be settled by now.`
}

/** Goes above the answer, so that people don't take it for an answer to something new. */
export function lateWords(at: number, { person, startedAt, timeZone }: StoredTurn): string {
  const late = startedAt - at
  const about = { name: person.name, day: timeOf(at, timeZone) }
  return late >= 2 * dayMs
    ? turnWords.daysLate({ ...about, days: Math.round(late / dayMs) })
    : turnWords.hoursLate({ ...about, hours: Math.round(late / hourMs) })
}
