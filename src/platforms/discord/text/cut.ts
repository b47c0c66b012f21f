import { bothEnds } from '../../words/approval-words.ts'

/** Discord counts a text's characters, and the bytes of cards; both limits are kept. */
export interface Room {
  characters: number
  bytes: number
}

/** The beginning of a text that fits, with a sign if something was cut off. */
export function cutTo(text: string, { characters, bytes }: Room): string {
  if (text.length <= characters && Buffer.byteLength(text) <= bytes) return text
  let length = 0
  let size = 1 + Buffer.byteLength('…')
  let end = 0
  for (const character of text) {
    length += character.length
    size += Buffer.byteLength(character)
    if (length + 1 > characters || size > bytes) break
    end = length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

/** What `bothEnds` puts between the ends. */
const gap = 40

/** Beginning and end of a text that doesn't fit, and how much is left out. */
export function bothEndsTo(text: string, { characters, bytes }: Room): string {
  if (text.length <= characters && Buffer.byteLength(text) <= bytes) return text
  let most = Math.min(characters - gap, text.length)
  let shown = ''
  do {
    shown = bothEnds(text, most)
    most = Math.floor(most * 0.9)
  } while (most > 0 && (shown === text || Buffer.byteLength(shown) > bytes))
  return shown
}
