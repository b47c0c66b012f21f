import { cronEvery } from '../../kit/calendar/every.ts'

/**
 * When an alarm goes off: at a time as alarm_set takes it, by a cron expression, at an interval that has none, or when
 * the clock next shows this.
 */
export type AlarmTime =
  | { at: string }
  | { cron: string }
  | { uneven: string }
  | { hour: number; minute: number; day: 'next' | 'today' | 'tomorrow' | number }

export interface AlarmWords {
  time: AlarmTime
  message: string
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const dayName = `(?:${days.join('|')})`
const unit = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw])(?![a-z])'
// With a space behind `an`, or `and` would be a day.
const duration = `(?:\\d+\\s*|an?\\s+)${unit}`
const half = '[ap](?:m|\\.\\s?m)\\b\\.?'
const clock = `(?<hour>\\d{1,2})(?:[:.](?<minute>\\d{2}))?(?:\\s*(?<half>${half}))?`
const shortDay = `(?:${days.map((day) => day.slice(0, 3)).join('|')})s?\\b`
const partOfDay = '(?:mornings?|afternoons?|evenings?|nights?|noon|midnight)'
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
/** How a message may only begin behind a colon: it would be more about the time. */
const moreTime = [
  half,
  duration,
  '\\d',
  '[-–—+]\\s*\\d',
  '\\*',
  "o[’']?clock\\b",
  '(?:and|or|every|each|daily|weekly|monthly|hourly|once|twice|until|till|except|starting|today|tomorrow|tonight)\\b',
  `(?:on\\s+|(?:this|next|coming)\\s+)?(?:${dayName}|${shortDay}|week|workday)`,
  `(?:on\\s+)?(?:${month}\\.?|the)\\s+(?:\\d|first|last|day\\s+after)`,
  `(?:(?:at|this|in\\s+the)\\s+)?${partOfDay}\\b`,
  `(?:at|from|between|on|for|in)\\s+(?:the\\s+next\\s+)?(?:\\d|now\\b|${duration})`,
].join('|')
/** Zones, in capitals: CET. Other words in capitals aren't zones: IT, GET. */
const zoneLetters = '(?:[ECMP]|[ECMPAHBIJKN]S|[ECMPAHN]D|[CEW]ES?|AK[SD]|NZ[SD]|AE[SD]?|AC[SD]|AW[SD]|SAS|SG|MS|BR)'
const beginsWithZone = new RegExp(`^(?:\\(?(?:UTC|GMT|Z|${zoneLetters}T)\\b|[A-Z]\\w+/[A-Z]|[A-Z]\\S+\\s+time\\b)`)
const rest = `(?:\\s*(?<colon>:)(?!\\d)\\s*|(?:\\s*,\\s*|\\s+)(?!\\s|(?:to\\s+)?(?:${moreTime})))(?:to\\s+)?(?<message>[^\\s:,].*)$`
const when = (pattern: string) => new RegExp(`^${pattern}${rest}`, 'is')

const after = when(`(?<at>in\\s+${duration}(?:(?:\\s*,\\s*|\\s+and\\s+|\\s+)${duration})*)`)
const moment = when(
  '(?:(?:at|on)\\s+)?(?<at>\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d)?(?:\\s?(?:Z|[+-]\\d\\d:?\\d\\d))?)',
)
const dayFirst = when(`(?:on\\s+)?(?<day>today|tomorrow|${dayName})\\s+(?:at\\s+)?${clock}`)
const timeFirst = when(`at\\s+${clock}(?:\\s+(?:on\\s+)?(?<day>today|tomorrow|${dayName})(?![a-z]))?`)
// "Friday at 8" is once.
const daily = when(
  `(?:every\\s+(?<day>day|weekday|workday|${dayName})s?|(?<day>daily|(?:week|work)days?|${dayName}s))\\s+at\\s+${clock}`,
)
const often = when('every\\s+(?:(?<count>\\d{1,4})\\s+)?(?<unit>minute|hour)s?')
const cron = when('cron\\s+"?(?<cron>(?:[^\\s":]+\\s+){4}[^\\s":]+)"?')

type Groups = Partial<Record<string, string>>

/**
 * `in 10 minutes: …`, `at 9:00 …`, `every weekday at 9: …`. Undefined when it is none of these, or says more about the
 * time than is understood here: then the model is asked.
 */
export function readAlarm(text: string): AlarmWords | undefined {
  for (const [pattern, read] of readings) {
    const groups: Groups | undefined = pattern.exec(text.trim())?.groups
    if (groups === undefined) continue
    const { colon, message = '' } = groups
    const time = colon === undefined && beginsWithZone.test(message) ? undefined : read(groups)
    if (time !== undefined) return { time, message }
  }
  return undefined
}

const readings: [RegExp, (groups: Groups) => AlarmTime | undefined][] = [
  [after, ({ at = '' }) => ({ at })],
  [moment, ({ at = '' }) => ({ at })],
  [cron, ({ cron = '' }) => ({ cron })],
  [daily, repeated],
  [often, everySo],
  [dayFirst, onDay],
  [timeFirst, onDay],
]

function repeated(groups: Groups): AlarmTime | undefined {
  const time = clockOf(groups)
  const day = groups.day?.toLowerCase().replace(/s$/, '') ?? ''
  if (time === undefined) return undefined
  const on = days.includes(day) ? days.indexOf(day) : /^(weekday|workday)$/.test(day) ? '1-5' : '*'
  return { cron: `${time.minute} ${time.hour} * * ${on}` }
}

function everySo({ count = '1', unit = '' }: Groups): AlarmTime {
  const name = unit.toLowerCase() === 'hour' ? 'hour' : 'minute'
  const cron = cronEvery(Number(count), name)
  return cron === undefined ? { uneven: `${Number(count)} ${name}s` } : { cron }
}

function onDay(groups: Groups): AlarmTime | undefined {
  const time = clockOf(groups)
  const day = groups.day?.toLowerCase()
  if (time === undefined) return undefined
  if (day === 'today' || day === 'tomorrow') return { ...time, day }
  return { ...time, day: day === undefined ? 'next' : days.indexOf(day) }
}

/** 9, 9:30, 5 pm; undefined if it isn't a time of day. */
function clockOf({ hour = '', minute = '0', half }: Groups): { hour: number; minute: number } | undefined {
  const given = Number(hour)
  if (Number(minute) > 59 || given > 23 || (half !== undefined && (given < 1 || given > 12))) return undefined
  const morning = half === undefined ? given : given % 12
  return { hour: morning + (half?.toLowerCase().startsWith('p') ? 12 : 0), minute: Number(minute) }
}
