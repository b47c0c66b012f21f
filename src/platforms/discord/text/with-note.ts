import { splitMarkdown } from '../../../kit/markdown/split.ts'
import { cutTo } from './cut.ts'
import { longestMessage } from './discord-messages.ts'

/** The note gets no more than half of a message. */
const noteRoom = { characters: longestMessage / 2, bytes: 2 * longestMessage }

/**
 * A text with a note below it. If there isn't room for both, the text is shortened: nothing else says what the note
 * does.
 */
export function withNote(text: string, note: string): string {
  const last = cutTo(note, noteRoom)
  const whole = [text, last].filter((part) => part !== '').join('\n')
  if (whole.length <= longestMessage) return whole
  const [beginning = ''] = splitMarkdown(text, { characters: longestMessage - last.length - '\n…\n'.length })
  return `${beginning}\n…\n${last}`
}
