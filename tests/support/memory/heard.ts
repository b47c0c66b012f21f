import type { Heard } from '../../../src/domain/chat.ts'
import { type Message, memoryName, pageOf, wordsOf } from './world.ts'

const mention = /^@bobbin\s+/

/** A message in the bot's own words. */
export function toHeard(message: Message): Heard {
  const { id, thread, at, editedAt, author, person, files, mentioned, direct, quotesOthers } = message
  const said = author === 'self' ? (wordsOf(pageOf(message)) ?? '') : message.text
  return {
    dedupKey: [memoryName, thread.tenant, thread.project, id].join(':'),
    message: id,
    thread,
    at,
    editedAt,
    author,
    person,
    text: said.replace(mention, ''),
    files: files.map(({ id: file, name, content }) => ({ id: file, name, size: Buffer.byteLength(content) })),
    mentioned,
    direct,
    toOthers: !mentioned && /^@\w/.test(said),
    reply: thread.thread !== id,
    quotesOthers,
  }
}

export const namesBot = (text: string): boolean => mention.test(text)
