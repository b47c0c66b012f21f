import { plainName } from '../../../kit/text/text.ts'

/** Who and what a message's mentions stand for. */
export interface Names {
  /** Mentions of these are taken out. */
  isSelf(kind: 'user' | 'role', id: string): boolean
  user(id: string): string | undefined
  role(id: string): string | undefined
  channel(id: string): string | undefined
}

/** Code is shown as it is. */
const code = /(```[\s\S]*?```|``[^`]*``|`[^`\n]*`)/

const mark =
  /<(?:(?<sign>@[!&]?|#)(?<id>\d{15,20})|a?:(?<emoji>\w{2,32}):\d{15,20}|t:(?<seconds>-?\d{1,12})(?::[tTdDfFsSR])?|\/(?<command>[^:<>\n]{1,100}):\d{15,20}|(?<url>https?:\/\/[^\s<>]+))>/g

/** A message's text as people see it: names for mentions, without the bot's own mention. */
export function readable(content: string, names: Names): string {
  const pieces = content.split(code)
  const text = pieces.map((piece, index) => (index % 2 === 1 ? piece : piece.replace(mark, unfold(names)))).join('')
  return text.trim()
}

const unfold =
  (names: Names) =>
  (...found: unknown[]): string => {
    const { sign, id, emoji, seconds, command, url } = found.at(-1) as Partial<Record<string, string>>
    if (id !== undefined) return nameOf(names, sign ?? '', id)
    if (emoji !== undefined) return `:${emoji}:`
    if (seconds !== undefined) return moment(Number(seconds))
    if (command !== undefined) return `/${command}`
    return url ?? ''
  }

function nameOf(names: Names, sign: string, id: string): string {
  if (sign === '#') return `#${plainName(names.channel(id) ?? 'unknown-channel')}`
  const kind = sign === '@&' ? 'role' : 'user'
  if (names.isSelf(kind, id)) return ''
  return `@${plainName(names[kind](id) ?? `unknown ${kind}`)}`
}

function moment(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? 'an unknown time' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
