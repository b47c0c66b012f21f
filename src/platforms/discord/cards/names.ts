import type { Person } from '../../../domain/chat.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import { isId } from '../api/snowflakes.ts'
import { plain } from '../text/plain.ts'

/** A mention, which Discord shows with the person's current name; nobody is notified. */
export const nameOf = ({ id, name }: Person): string => (isId(id) ? `<@${id}>` : plain(oneLine(visible(name), 40)))

/** The rules' words for people, in which `user` and `group` precede ids: those become mentions. */
export const decidersIn = (words: string): string =>
  plain(visible(words)).replace(/\b(user|group) (\d{15,20})\b/g, (_, kind: string, id: string) =>
    kind === 'user' ? `<@${id}>` : `<@&${id}>`,
  )
