import { splitMarkdown } from '../../../kit/markdown/split.ts'
import type { Room } from './cut.ts'
import { discordText } from './discord-markdown.ts'
import { withoutPings } from './without-pings.ts'

/** A model's Markdown, for a card: its beginning, well-formed, as far as it fits. It notifies nobody. */
export function modelText(markdown: string, { characters, bytes }: Room): string {
  const text = withoutPings(discordText(withoutPings(markdown.trim())))
  const measure = (part: string) => Math.max(part.length, Math.ceil((Buffer.byteLength(part) * characters) / bytes))
  const [first = '', ...others] = splitMarkdown(text, { characters: characters - 2, measure })
  return others.length === 0 ? first : `${first}\n…`
}

/** A text of one line is emphasised; one of several has formatting of its own. */
export const standingOut = (text: string, mark: (line: string) => string): string =>
  text.includes('\n') ? text : mark(text)
