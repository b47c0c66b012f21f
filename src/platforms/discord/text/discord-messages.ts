import { splitMarkdown } from '../../../kit/markdown/split.ts'
import { discordText } from './discord-markdown.ts'
import { withoutPings } from './without-pings.ts'

/** Discord takes no longer message. */
export const longestMessage = 2_000

/** Markdown in messages of Discord's. Nobody is pinged by it. */
export const discordMessages = (markdown: string, characters = longestMessage): string[] =>
  splitMarkdown(withoutPings(discordText(withoutPings(markdown))), { characters })
