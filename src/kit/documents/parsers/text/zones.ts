import { type ContentLine, plainValue } from './lines.ts'

/** The most zones that are named, and how much of a name is shown. */
const mostZones = 20
const nameCharacters = 100

interface Rule {
  isSummer: boolean
  offset: string
  /** As it is written, which sorts by time. */
  since: string
}

/** What a calendar says about time zones, of which it may define its own (RFC 5545, 3.6.5). */
export class CalendarZones {
  readonly #zones = new Map<string, Rule[]>()
  #rules: Rule[] = []
  #own = ''

  /** Takes one component of the calendar, at its end. */
  add(kind: string, lines: ContentLine[]): void {
    const value = (name: string): string => lines.find((line) => line.name === name)?.value.trim() ?? ''
    if (kind === 'VCALENDAR') this.#own = plainValue(value('X-WR-TIMEZONE')).trim().slice(0, nameCharacters)
    if (kind === 'STANDARD' || kind === 'DAYLIGHT') {
      const [, offset] = /^([+-]\d{4})/.exec(value('TZOFFSETTO')) ?? []
      if (offset === undefined) return
      this.#rules.push({ isSummer: kind === 'DAYLIGHT', offset: offsetText(offset), since: value('DTSTART') })
    }
    if (kind !== 'VTIMEZONE') return
    const id = value('TZID')
    if (this.#rules.length > 0 && this.#zones.size < mostZones && !isKnown(id)) this.#zones.set(id, this.#rules)
    this.#rules = []
  }

  /** Only of zones whose names say nothing to others. */
  notes(): string[] {
    const zones = [...this.#zones].map(([id, rules]) => {
      const winter = latest(rules.filter(({ isSummer }) => !isSummer))
      const summer = latest(rules.filter(({ isSummer }) => isSummer))
      const offsets =
        winter === undefined || summer === undefined ? (winter ?? summer) : `${winter}, in summer ${summer}`
      return `The time zone "${id.slice(0, nameCharacters)}" is ${offsets}.`
    })
    return [...(this.#own === '' ? [] : [`The calendar’s time zone is ${this.#own}.`]), ...zones]
  }
}

/** The offset that holds now: a zone may list those of earlier years. */
const latest = (rules: Rule[]): string | undefined =>
  rules.reduce<Rule | undefined>(
    (last, rule) => (last === undefined || rule.since >= last.since ? rule : last),
    undefined,
  )?.offset

/** `+0100` as `UTC+01:00`. */
const offsetText = (offset: string): string => `UTC${offset.slice(0, 3)}:${offset.slice(3)}`

function isKnown(id: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: id })
    return true
  } catch {
    // The name is the file's own.
    return false
  }
}
