const numberWords: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  sixty: 60,
  half: 0.5,
  一: 1,
  两: 2,
  五: 5,
  十: 10,
  半: 0.5,
}

const unitsMs: [RegExp, number][] = [
  [/^(s|秒)/i, 1_000],
  [/^(m|分)/i, 60_000],
  [/^(h|个?小时)/i, 3_600_000],
  [/^(d|天)/i, 86_400_000],
  [/^w/i, 7 * 86_400_000],
]

const words = Object.keys(numberWords)
  .filter((word) => /[a-z]/.test(word))
  .join('|')
const andHalf = '\\s+and\\s+a\\s+half\\b'
const units = 'seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|秒钟?|分钟?|个?小时|天'

/** "10 seconds", "two and a half hours", "an hour and a half", "half an hour", "10秒", as the source of a pattern. */
export const durationPattern = `(?:(?<![\\d.:])\\d+(?:\\.\\d+)?|\\b(?:half\\s+an?|${words})\\b|[一两五十半])(?:${andHalf})?\\s*(?:${units})(?![a-z])(?:${andHalf})?`

const durations = new RegExp(durationPattern, 'gi')

/** In ms. */
function msOf(said: string): number {
  const [, count = '', unit = ''] =
    new RegExp(
      `^(\\d+(?:\\.\\d+)?|[a-z]+|[一两五十半])(?:\\s+an?\\b)?(?:${andHalf})?\\s*(${units})(?![a-z])`,
      'i',
    ).exec(said) ?? []
  const unitMs = unitsMs.find(([begins]) => begins.test(unit))?.[1] ?? 0
  const half = new RegExp(andHalf, 'i').test(said) ? 0.5 : 0
  return Math.round(((numberWords[count.toLowerCase()] ?? Number(count)) + half) * unitMs)
}

/** The first duration in a text, in ms. */
export function durationIn(text: string): number | undefined {
  const [first] = text.match(durations) ?? []
  return first === undefined ? undefined : msOf(first)
}

/** "2 hours and 30 minutes" in ms; undefined if the text says anything else. */
export function lengthOf(text: string): number | undefined {
  const parts = text.match(durations) ?? []
  const isWhole = parts.length > 0 && /^(?:\s|,|and\b)*$/i.test(text.replace(durations, ' '))
  return isWhole ? parts.reduce((sum, part) => sum + msOf(part), 0) : undefined
}
