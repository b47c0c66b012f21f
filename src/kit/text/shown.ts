import { localIso } from '../calendar/zone.ts'
import { quotedLine } from './marks.ts'

/** `1 line`, `2,000 lines`. */
export const counted = (count: number, thing: string, things = `${thing}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? thing : things}`

/** Paths may contain line ends; quoted, none can pass for another line of a result. */
export const shownPath = (path: string): string => (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path) ? quotedLine(path) : path)

/** As code in Markdown, which nothing in it can end. */
export const asCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``

export const codePath = (path: string): string => asCode(shownPath(path))

/** `2026-03-01 09:00`. */
export const shownTime = (instant: number, timeZone: string): string =>
  localIso(instant, timeZone).slice(0, 16).replace('T', ' ')

/** The beginning of a text, without cutting a character. */
export const cutCharacters = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') : text

/** Bytes for people. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const units = ['kB', 'MB', 'GB']
  let size = bytes / 1000
  while (size >= 999.5 && units.length > 1) {
    size /= 1000
    units.shift()
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[0]}`
}
