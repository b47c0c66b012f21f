/** Formats values for people to read. */

export function formatSize(bytes) {
  if (!Number.isFinite(bytes)) return ''
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB']
  let value = bytes
  let unit = -1
  do {
    value /= 1000
    unit += 1
  } while (value >= 999.5 && unit < units.length - 1)
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

export function formatDuration(ms) {
  if (ms === undefined || ms === null) return ''
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
}

export function formatRelative(iso, now) {
  const seconds = Math.round((now - Date.parse(iso)) / 1000)
  if (!Number.isFinite(seconds)) return ''
  if (seconds < 45) return 'now'
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min`
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`
  if (seconds < 7 * 86_400) return `${Math.round(seconds / 86_400)} d`
  return new Date(iso).toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}

/** Time left until a deadline, or '' once it has passed. */
export function formatLeft(iso, now) {
  const seconds = Math.ceil((Date.parse(iso) - now) / 1000)
  if (!(seconds > 0)) return ''
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** Made once: a formatter costs more to make than all that it formats on a page. */
const hours = { hour: '2-digit', minute: '2-digit' }
const days = { day: 'numeric', month: 'short' }
const clock = new Intl.DateTimeFormat(undefined, hours)
const dayAndClock = new Intl.DateTimeFormat(undefined, { weekday: 'short', ...days, ...hours })
const dateAndClock = new Intl.DateTimeFormat(undefined, { year: 'numeric', ...days, ...hours })
const wholeDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

const formatWith = (formatter) => (iso) => {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : formatter.format(date)
}

/** When the day of this moment began, ms. */
export const dayOf = (time) => new Date(time).setHours(0, 0, 0, 0)

/** The time, with its day unless that is today; `today` is what `dayOf` gives. */
export function formatTime(iso, today) {
  if (dayOf(iso) === today) return formatWith(clock)(iso)
  const isThisYear = new Date(iso).getFullYear() === new Date(today).getFullYear()
  return formatWith(isThisYear ? dayAndClock : dateAndClock)(iso)
}

export const formatFull = formatWith(wholeDate)

export const shorten = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

const telling = [
  'path',
  'command',
  'pattern',
  'query',
  'url',
  'question',
  'task',
  'message',
  'summary',
  'at',
  'alarm_id',
]

/** The most telling argument of a call, on one line. */
export function summariseInput(input) {
  if (typeof input === 'string') return shorten(input.replace(/\s+/g, ' '), 90)
  if (input === null || typeof input !== 'object') return ''
  if (Array.isArray(input.todos)) {
    const done = input.todos.filter((todo) => todo?.status === 'completed').length
    return `${done} of ${input.todos.length} done`
  }
  const words = telling.filter((name) => typeof input[name] === 'string').map((name) => input[name])
  return shorten(words.slice(0, 2).join('  ').replace(/\s+/g, ' '), 90)
}

/** Indented JSON, also for a string that holds JSON; other strings are unchanged. */
export function pretty(value) {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? ''
  if (!/^\s*[[{]/.test(value) || value.length > 500_000) return value
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}

export const initials = (name) => {
  const words = name
    .trim()
    .split(/[\s._-]+/)
    .filter(Boolean)
  const first = [...(words[0] ?? '?')][0]
  const second = words.length > 1 ? [...words.at(-1)][0] : ''
  return (first + second).toUpperCase()
}

export const fileName = (path) => path.slice(path.lastIndexOf('/') + 1)

/** Control and direction characters could make a file name look like another one. */
export const visibleName = (name) => name.replace(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu, '\uFFFD')

/**
 * Makes text safe to judge: invisible, reordering and look-alike characters are spelled out. Line breaks and tabs stay,
 * and so do joiners, which some scripts need.
 */
export const visibleText = (text) =>
  text.replace(
    /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu,
    (character) => (/[\n\t]/.test(character) ? character : `⟨U+${codeOf(character)}⟩`),
  )

const codeOf = (character) => character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')

const typeNames = [
  [/wordprocessingml|msword|opendocument\.text/, 'Document'],
  [/spreadsheet|ms-excel/, 'Spreadsheet'],
  [/presentation|ms-powerpoint/, 'Presentation'],
  [/csv|tab-separated/, 'Table'],
  [/^application\/pdf/, 'PDF'],
  [/^text\/markdown/, 'Markdown'],
  [/^text\/html/, 'HTML'],
  [/json/, 'JSON'],
  [/svg/, 'SVG drawing'],
  [/^image\/(\w+)/, 'picture'],
  [/zip|tar|compressed/, 'Archive'],
  [/^message\/rfc822/, 'E-mail'],
  [/^text\/|^application\/(x-sh|sql|xml|yaml|toml)/, 'Text'],
  [/^audio\//, 'Sound'],
  [/^video\//, 'Video'],
]

/** What people call a MIME type. */
export function typeName(type) {
  const [pattern, name] = typeNames.find(([wanted]) => wanted.test(type)) ?? []
  const kind = name === 'picture' ? pattern.exec(type)[1] : undefined
  return kind ? `${kind.toUpperCase()} picture` : (name ?? 'File')
}

export const dollars = (usd) => `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`
