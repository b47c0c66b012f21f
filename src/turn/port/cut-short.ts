import { cutUtf8 } from '../../kit/text/text.ts'
import { turnWords } from './words.ts'

/** Edited and earlier messages that are too long are cut instead of becoming a file as a new message would. */
export function cutShort(text: string, messageBytes: number): string {
  const cut = cutUtf8(text, messageBytes)
  return cut === text ? text : turnWords.cutShort({ cut })
}
