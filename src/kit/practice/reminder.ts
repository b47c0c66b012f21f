import { durationPattern } from './durations.ts'
import { quotedIn, unquoted } from './names-in-text.ts'
import { chineseReminderIn } from './reminder-in-chinese.ts'
import { hasNoTime, monthName, type Reminder, weekdayName, whenOf } from './when.ts'

const head =
  /^(?:remind(?:\s+(?:me|us)\b)?|set\s+(?:an?|the)\s+(?:alarm|timer|reminder)\b|wake\s+me(?:\s+up)?\b)(?:[\s,:]|please\b)*/i
const closing = /[,\s]*(?:\b(?:please|thanks|thank\s+you))?[\s.。!！?？]*$/i
/** "set a timer of 5 minutes", "set an alarm to 7". */
const setting = new RegExp(
  `^set\\s+(?:an?|the)\\s+(?:alarm|timer|reminder)[\\s,:]+(?:(?:for|of|to)\\s+)?(?=\\d|${durationPattern})`,
  'i',
)
/** "remind Ben", "remind the team": the alarm rings in the thread, for everybody. */
const forSomebody = /^remind\s+(?!(?:me|us)\b)((?:the\s+)?[\p{L}@_-]+)[\s,:]+/iu
/** What stands between the time and the message, unless the date goes on. */
const separator = new RegExp(`(?:^|[\\s,:]+)(?:to|that|about|of(?!\\s+${monthName}\\b))\\s+|:\\s+`, 'i')

const unit = '(?:minute|hour|day|weekday|workday|week|weekend|month|quarter|year)s?'
const partOfDay = '(?:morning|afternoon|evening|night)'
/** In "the Monday report" and "my 5pm pill", a day and an hour aren't the time of the alarm. */
const bare = '(?<!\\b(?:the|an?|my|our|your|his|her|their)\\s)'
const often = '(?:bi-?)?(?:dai|night|week|fortnight|month|hour|year|quarter|annual)ly'
const begins = [
  `(?:in|after)\\s+${durationPattern}`,
  'at\\s+(?:\\d|(?:noon|midnight|night|half|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\\b)',
  `(?:every|each)\\s+(?:\\w+\\s+)?(?:${unit}|${partOfDay}|${weekdayName})\\b`,
  `${bare}(?:today|tonight|tomorrow|${often})\\b(?!['’])`,
  `(?:(?:on|this|next)\\s+|${bare})${weekdayName}s?\\b(?!['’])`,
  `(?:this|next|in\\s+the)\\s+(?:${unit}|${partOfDay})\\b`,
  `on\\s+(?:the\\s+)?(?:\\d|${monthName}\\s+\\d)`,
  `${bare}\\d{1,2}(?:[:.]\\d\\d)?\\s*[ap]\\.?m\\b`,
]
const timeBegins = new RegExp(`(?<![\\p{L}\\p{N}])(?:${begins.join('|')})`, 'iu')

const prepositions =
  'from|except|until|till|between|by|before|after|since|starting|around|past|within|for|of|to|with|than'
const others =
  'and|or|but|not|the|once|twice|each|all|alternate|last|first|next|always|only|early|late|latest|later|regularly|noon|midnight'
const shortNames = '(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)'
const figures = `\\d+(?:st|nd|rd|th)|(?:on|the|${monthName})\\s+\\d+|(?<![$€£\\d.,]|version )\\d+[.:/-]\\d\\S*`
/** Before a time, these make it another one, or none for an alarm. */
const changesTime = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${prepositions}|${others}|${often}|${unit}|${weekdayName}s?|${shortNames}|${monthName}|${partOfDay}s|${figures})$`,
  'iu',
)

/** The time at the end of a text, on the day that was said before, and the message in front of it. */
function atEnd(text: string, day = ''): Reminder | undefined {
  const start = timeBegins.exec(text)?.index
  const message = text.slice(0, start).replace(/[\s,;:]+$/, '')
  if (start === undefined || changesTime.test(message)) return undefined
  const when = whenOf(`${day} ${text.slice(start)}`)
  return when && { when, message }
}

function withoutSeparator(text: string): Reminder | undefined {
  const when = whenOf(text)
  return when === undefined ? atEnd(text) : { when, message: '' }
}

/** Reads "in 10 minutes to stretch", "to stretch at 5", "lunch at 12". A time in front leaves the message as it is. */
function readEnglish(text: string): Reminder | undefined {
  const split = separator.exec(text)
  if (split === null) return withoutSeparator(text)
  const front = text.slice(0, split.index).trim()
  const message = text.slice(split.index + split[0].length)
  if (front === '') return withoutSeparator(message)
  const when = whenOf(front)
  if (when === undefined) return undefined
  return hasNoTime(when) && timeBegins.test(message) ? atEnd(message, front) : { when, message }
}

function englishReminderIn(text: string): Reminder | undefined {
  const rest = text.replace(setting, 'for ').replace(head, '')
  // In "remind me: go to the shop at 9", all before the time is the message.
  const isMessage = /:\s*$/.test(head.exec(text)?.[0] ?? '')
  const read = (isMessage ? withoutSeparator(rest) : undefined) ?? readEnglish(rest)
  const [whole, who = ''] = forSomebody.exec(text) ?? []
  if (read !== undefined || whole === undefined || changesTime.test(who)) return read
  return readEnglish(text.slice(whole.length))
}

/** When to remind somebody, and of what; undefined if it isn't plainly one time. */
export function reminderIn(text: string): Reminder | undefined {
  const [quoted] = quotedIn(text)
  // What is quoted says nothing about the time.
  const plain = (quoted === undefined ? text : text.replace(quoted, '…')).replace(closing, '')
  const read = head.test(plain) ? englishReminderIn(plain) : chineseReminderIn(plain)
  const message = quoted ?? unquoted(read?.message ?? '')
  return read && { when: read.when, message: message || 'Time’s up!' }
}
