import { splitMarkdown } from '../../../kit/markdown/split.ts'
import { discordText } from './discord-markdown.ts'
import { withoutPings } from './without-pings.ts'

/** Discord accepts no longer message. */
export const longestMessage = 2_000

/** Markdown split into Discord messages. It notifies nobody. */
export const discordMessages = (markdown: string, characters = longestMessage): string[] =>
  splitMarkdown(withoutPings(discordText(withoutPings(markdown))), { characters })
