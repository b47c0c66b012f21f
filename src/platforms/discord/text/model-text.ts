import { splitMarkdown } from '../../../kit/markdown/split.ts'
import type { Room } from './cut.ts'
import { discordText } from './discord-markdown.ts'
import { withoutPings } from './without-pings.ts'

/** Markdown as a model wrote it, for a card: its beginning, well-formed, as far as it fits. Nobody is pinged by it. */
export function modelText(markdown: string, { characters, bytes }: Room): string {
  const text = withoutPings(discordText(withoutPings(markdown.trim())))
  const measure = (part: string) => Math.max(part.length, Math.ceil((Buffer.byteLength(part) * characters) / bytes))
  const [first = '', ...others] = splitMarkdown(text, { characters: characters - 2, measure })
  return others.length === 0 ? first : `${first}\n…`
}

/** A text of one line stands out; one of several has marks of its own. */
export const standingOut = (text: string, mark: (line: string) => string): string =>
  text.includes('\n') ? text : mark(text)
