import type { OutgoingFile } from '../../platform.ts'
import { answerFile } from '../../words/answer-file.ts'
import { discordMessages, longestMessage } from '../text/discord-messages.ts'
import { discordWords } from '../words/words.ts'

/** How much fits into a message below its small print. */
export const roomBelow = (head: string): number => longestMessage - (head === '' ? 0 : head.length + 1)

/** The text in messages; if it takes too many, the beginning, with all of it as a file. */
export function answerPieces(
  text: string,
  head: string,
  mostMessages: number,
): { pieces: string[]; whole: OutgoingFile[] } {
  const room = roomBelow(head)
  // Nothing halves the length of a text, so a text that is surely too long isn't split first.
  const pieces = text.length > room * mostMessages * 2 ? undefined : discordMessages(text, room)
  if (pieces !== undefined && pieces.length <= mostMessages) return { pieces, whole: [] }
  const note = `\n\n-# ${discordWords.answerAttached()}`
  const beginning = discordMessages(text.slice(0, longestMessage * 3), room - note.length)[0] ?? ''
  return { pieces: [`${beginning}${note}`], whole: [answerFile(text)] }
}
