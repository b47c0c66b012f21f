import { discordMessages } from '../text/discord-messages.ts'

/** If a text is long, the message that it has reached, as it will look if it becomes the answer. */
export function lastPiece(text: string, room: number): string {
  const end = endOf(text)
  const pieces = discordMessages(end, room - 4)
  const last = pieces.at(-1) ?? ''
  return pieces.length > 1 || end.length < text.length ? `…\n\n${last}` : last
}

/** How much is read each time something is shown: splitting a long text again and again takes time. */
const mostShown = 6_000

/** The end of a long text, from a line on; inside a code block, with its fence. */
function endOf(text: string): string {
  if (text.length <= mostShown) return text
  const line = text.indexOf('\n', text.length - mostShown)
  const start = line === -1 ? text.length - mostShown : line + 1
  const fences = text.slice(0, start).match(/^ {0,3}```/gm)?.length ?? 0
  return (fences % 2 === 1 ? '```\n' : '') + text.slice(start)
}
