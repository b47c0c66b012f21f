import { oneLine } from '../../../kit/text/text.ts'
import { Code, codeOf } from '../api/errors.ts'
import { cutTo } from '../text/cut.ts'

const longest = 90

/** What a thread is called if its first message makes no name. */
export const unnamed = 'Conversation'

/** What to call a thread that begins with this text. Names show neither Markdown nor mentions. */
export function nameFor(text: string): string {
  const plain = text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/^[>#\s-]+/gm, ' ')
    .replace(/[*_~`|]+/g, '')
  return cutTo(oneLine(plain, longest), { characters: longest, bytes: 400 }) || unnamed
}

/**
 * Whether the name may be what was refused. AutoMod blocks words in it, even those that somebody exempt may say, and
 * servers in Server Discovery take some words for an invalid form.
 */
export function isOfName(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return code === Code.TitleWasBlockedByAutomaticModeration || code === Code.InvalidFormBodyOrContentType
}
