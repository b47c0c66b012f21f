import type { Names } from './locale.ts'

const dayMs = 86_400_000

/** Days since the sheet's epoch as an instant to be read in UTC. Undefined for what a sheet shows as ####. */
function momentOf(serial: number, is1904: boolean): Date | undefined {
  const days = is1904 ? serial + 1462 : serial
  // After 9999-12-31.
  if (!(days >= 0) || days >= 2_958_466) return undefined
  // Day 60 is 29 February 1900, which never existed: days before it count from one day later.
  const fromEpoch = days < 60 ? days + 1 : days
  return new Date(Math.round(Date.UTC(1899, 11, 30) + fromEpoch * dayMs))
}

export interface DateFormat {
  tokens: string[]
  is12Hours: boolean
  /** Digits of a fraction of seconds that are shown. */
  fraction: number
  /** Names of months and days, in the language of the format. */
  names: Names
}

/** An instant as `tokens` write it; `[h]`, `[m]` and `[s]` count on beyond a day. */
export function formatDate(serial: number, format: DateFormat, is1904: boolean): string | undefined {
  const unit = 10 ** -format.fraction / 86_400
  const rounded = Math.round(serial / unit) * unit
  const moment = momentOf(rounded, is1904)
  if (moment === undefined) return undefined
  const isNoDay = !is1904 && Math.floor(rounded) === 60
  return format.tokens
    .map((token, index) => (isNoDay && /^dd?$/i.test(token) ? '29' : part(token, index, moment, rounded, format)))
    .join('')
}

function part(token: string, index: number, moment: Date, serial: number, format: DateFormat): string {
  if (token.startsWith('"')) return token.slice(1)
  const lower = token.toLowerCase()
  const two = (value: number) => (lower.length > 1 ? String(value).padStart(2, '0') : String(value))
  const hours = moment.getUTCHours()
  switch (lower[0]) {
    case 'y':
    case 'e':
      return lower.length > 2 || lower[0] === 'e'
        ? String(moment.getUTCFullYear())
        : String(moment.getUTCFullYear()).slice(-2)
    case 'd':
      if (lower.length > 2) return format.names.weekday(moment.getUTCDay(), lower.length === 3)
      return two(moment.getUTCDate())
    case 'm':
      return isMinutes(format.tokens, index)
        ? two(moment.getUTCMinutes())
        : month(moment.getUTCMonth(), lower.length, format.names)
    case 'h':
      return two(format.is12Hours ? hours % 12 || 12 : hours)
    case 's':
      return two(moment.getUTCSeconds())
    case 'a':
      if (lower.startsWith('aaa')) return format.names.weekday(moment.getUTCDay(), lower.length === 3)
      return hours < 12 ? 'AM' : 'PM'
    case 'g':
      // An era: the year is shown as everywhere.
      return ''
    case '.':
      return `.${String(moment.getUTCMilliseconds())
        .padStart(3, '0')
        .slice(0, token.length - 1)}`
    case '[':
      return elapsed(lower, serial)
  }
  return token
}

function month(index: number, letters: number, names: Names): string {
  if (letters <= 2) return String(index + 1).padStart(letters, '0')
  const name = names.month(index, letters === 3)
  return letters === 5 ? name.slice(0, 1) : name
}

/** An `m` means minutes after hours or before seconds. */
function isMinutes(tokens: string[], index: number): boolean {
  if ((tokens[index]?.length ?? 0) > 2) return false
  const isUnit = (token: string) => /^\[?[ymdhs]/i.test(token)
  const before = tokens.slice(0, index).findLast(isUnit)?.toLowerCase()
  const after = tokens
    .slice(index + 1)
    .find(isUnit)
    ?.toLowerCase()
  return before?.startsWith('h') === true || before?.startsWith('[h') === true || after?.startsWith('s') === true
}

function elapsed(token: string, serial: number): string {
  const seconds = Math.floor(serial * 86_400 + 0.0005)
  const count = token.includes('h')
    ? Math.floor(seconds / 3600)
    : token.includes('m')
      ? Math.floor(seconds / 60)
      : seconds
  return String(count).padStart(token.length - 2, '0')
}
