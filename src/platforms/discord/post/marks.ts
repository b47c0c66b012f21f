import { createHash } from 'node:crypto'
import type { APIMessage } from 'discord.js'
import type { Posting } from '../../platform.ts'
import { isSpoken } from '../api/payload.ts'

// How to recognise a message of ours. Discord forgets nonces after some minutes and never reports them afterwards, so
// each message also carries, or is, something that stays: see `isPosting`.

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** At most 25 characters, the same for the same posting: Discord posts nothing twice with it within some minutes. */
export const nonceOf = (key: string): string => digest(key).toString('base64url').slice(0, 25)

/** A component's own number, which Discord keeps: positive, 31 bits. */
export const numberOf = (key: string): number => digest(key).readUInt32BE(0) & 0x7fff_ffff || 1

/** For a message with a number: it is never recognised by its text. */
const noHash = '-'

/** What a plain message says, whatever Discord does to its white space, with the sizes of its files. */
export function hashOf(content: string, sizes: number[]): string {
  const text = content.replace(/[\s\p{C}]+/gu, '')
  if (text === '' && sizes.length === 0) return noHash
  return digest(JSON.stringify([text, sizes.toSorted((a, b) => a - b)])).toString('base64url')
}

/** Kept before a message is posted: where it goes, which message was the newest there, and what it says. */
export interface PostingNote {
  channel: string
  after: string
  hash: string
}

export const writeNote = ({ channel, after, hash }: PostingNote): string => `${channel} ${after} ${hash}`

export function readNote(note: string | undefined): PostingNote | undefined {
  const [channel, after, hash] = note?.split(' ') ?? []
  return channel && after && hash ? { channel, after, hash } : undefined
}

/** For several attempts at a posting: each one knows the note of the one before. */
export function withLatestNote(posting: Posting): Posting {
  let { note } = posting
  return {
    ...posting,
    get note() {
      return note
    },
    async remember(latest) {
      await posting.remember(latest)
      note = latest
    },
  }
}

/**
 * Whether a message of ours is this posting: by its nonce if Discord still reports it, by the number of the row or
 * container that cards and progress have, or, for a message without one, by its text.
 */
export function isPosting(message: APIMessage, key: string, note: PostingNote): boolean {
  if (message.nonce === nonceOf(key)) return true
  const components = message.components ?? []
  if (components.length > 0) return components.some(({ id }) => id === numberOf(key))
  // Discord posts messages in our name, such as that we made a thread.
  return isSpoken(message) && saysSame(message, note.hash)
}

/** Whether a message certainly says what has this hash. */
export const saysSame = ({ content, attachments }: APIMessage, hash: string): boolean =>
  hash !== noHash &&
  hashOf(
    content,
    attachments.map(({ size }) => size),
  ) === hash
