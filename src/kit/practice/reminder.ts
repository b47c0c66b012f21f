import { durationPattern } from './durations.ts'
import { quotedIn, unquoted } from './names-in-text.ts'
import { monthName, type When, weekdayName, whenOf } from './when.ts'

export interface Reminder {
  when: When
  message: string
}

const head =
  /^(?:remind(?:\s+(?:me|us)\b)?|set\s+(?:an?|the)\s+(?:alarm|timer|reminder)\b|wake\s+me(?:\s+up)?\b)[\s,:]*/i
/** What stands between the time and the message, unless the date goes on. */
const separator = new RegExp(`(?:^|[\\s,:]+)(?:to|that|about|of(?!\\s+${monthName}\\b))\\s+|:\\s+`, 'i')

const partOfDay = '(?:morning|afternoon|evening|night|noon|midnight)'
/** Other words follow where a day is only mentioned, as in "the Monday report". */
const endsTime = `(?=\\s*$|,|\\s+(?:at|on|in|and|or|except|until|till|from|\\d|${partOfDay})\\b)`
const begins = [
  `(?:in|after)\\s+${durationPattern}`,
  'at\\s+(?:\\d|noon|midnight|night|half|quarter)',
  `every\\s+(?:\\d|other|second|third|minute|hour|day|weekday|workday|week|weekend|month|quarter|year|${partOfDay}|${weekdayName})`,
  `(?:today|tonight|tomorrow|weekdays|weekends|(?:dai|week|month|hour|year|quarter)ly)${endsTime}`,
  `(?:(?:on|this|next)\\s+)?${weekdayName}s?${endsTime}`,
  '(?:this|next)\\s+(?:week|weekend|month|quarter|year)\\b',
  `(?:this|in\\s+the)\\s+${partOfDay}`,
  `(?:on\\s+)?(?:the\\s+)?\\d{1,2}(?:st|nd|rd|th)?(?:\\s+of)?\\s+${monthName}\\b`,
  `(?:on\\s+)?${monthName}\\s+(?:the\\s+)?\\d`,
  'on\\s+(?:the\\s+)?\\d',
  `\\d{1,2}(?:[:.]\\d\\d|h\\d{0,2}|\\s*[ap]\\.?m\\.?)${endsTime}`,
]
const timeBegins = new RegExp(`(?<![\\p{L}\\p{N}])(?:${begins.join('|')})`, 'iu')
/** Words before a time that make it another one, or none for an alarm. */
const dangling =
  /\b(?:from|except|until|till|between|and|or|but|not|by|before|after|since|starting|for|of|the|once|twice|each)$/i
/** Who is to be reminded, instead of a time: "Ben", "the team". */
const somebody = /^(?:the\s+)?[\p{L}<@_-]*$/u

/** The time at the end of a text, and what stands before it; undefined if not all of the time is understood. */
function atEnd(text: string, before = ''): Reminder | 'none' | undefined {
  const start = timeBegins.exec(text)?.index
  if (start === undefined) return 'none'
  const rest = text.slice(0, start).trim()
  const when = dangling.test(rest) ? undefined : whenOf(`${before} ${text.slice(start)}`)
  return when && { when, message: rest }
}

/** Whether only the day of it is said. */
const hasNoTime = (when: When): boolean => when.kind === 'clock' && when.time === undefined

/** Reads "in 10 minutes to stretch", "to stretch at 5". A time in front leaves what follows as it stands. */
function readEnglish(text: string): Reminder | undefined {
  const split = separator.exec(text)
  const front = (split === null ? text : text.slice(0, split.index)).trim()
  const message = split === null ? '' : text.slice(split.index + split[0].length).trim()
  const whole = whenOf(front)
  const found = whole === undefined ? atEnd(front) : { when: whole, message: '' }
  if (found === undefined || (found !== 'none' && !somebody.test(found.message))) return undefined
  if (found !== 'none' && !hasNoTime(found.when)) return { when: found.when, message }
  if (found === 'none' && !somebody.test(front)) return undefined
  const later = atEnd(message, found === 'none' ? '' : front)
  if (later !== 'none') return later
  return found === 'none' ? undefined : { when: found.when, message }
}

const chineseTime =
  /^(?:\s|每天|今天|明天|\d{1,2}(?:[:：]\d\d|点(?:\d{1,2}分?)?)|(?:\d+|[一两五十半])个?(?:秒钟?|分钟?|小时|天)之?后)+/

const inEnglish = (text: string): string =>
  text
    .replace(/每天/g, ' every day ')
    .replace(/今天/g, ' today ')
    .replace(/明天/g, ' tomorrow ')
    .replace(
      /(\d{1,2})(?:[:：]|点)(\d{1,2})?分?/g,
      (_, hour, minute = '0') => ` at ${hour}:${minute.padStart(2, '0')} `,
    )
    .replace(/(\S+)后/g, ' in $1 ')
    .replace(/之(?= )/g, '')
    .replace(/\s+/g, ' ')

function readChinese(text: string): Reminder | undefined {
  const [, before = '', after = ''] =
    /^(.*?)(?:提醒我?|闹钟)(.*)$/s.exec(text.replace(/^设(?:置|个)?(?:一个)?/, '')) ?? []
  const lead = before.trim() === '' ? (chineseTime.exec(after)?.[0] ?? '') : ''
  const message = after.slice(lead.length).trim()
  // "9点半", "9点到10点"
  if (lead !== '' && /^[半刻和到至、，,:\d点]/.test(message)) return undefined
  const when = whenOf(inEnglish(before.trim() === '' ? lead : before))
  return when && { when, message }
}

/** When to remind somebody, and of what; undefined if it says more about the time than is understood here. */
export function reminderIn(text: string): Reminder | undefined {
  const [quoted] = quotedIn(text)
  // What is quoted says nothing about the time.
  const plain = quoted === undefined ? text : text.replace(quoted, '…')
  const isEnglish = head.test(plain)
  const read = isEnglish ? readEnglish(plain.replace(head, '')) : readChinese(plain)
  const message = quoted ?? unquoted(read?.message ?? '').replace(/[.。!！]+$/, '')
  return read && { when: read.when, message: message || 'Time’s up!' }
}
