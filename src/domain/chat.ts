import type { SessionId } from './ids.ts'

/** A person as one platform knows them. `name` is for people and the model; only `id` identifies. */
export interface Person {
  id: string
  name: string
  /** It is another bot. */
  bot?: true
}

/** Where a session lives. `thread` is the id of its root message. */
export interface ThreadRef {
  platform: string
  tenant: string
  project: string
  thread: string
}

/** A file that came with a message and still lies with the platform. `size` in bytes, 0 when unknown. */
export interface RemoteFile {
  id: string
  name: string
  size: number
}

/** What a platform received, in our words. `dedupKey` is made of what the thing is, never of when it came. */
export interface Incoming {
  dedupKey: string
  thread: ThreadRef
  /** Set when the caller names a session that exists: then `thread` is not looked at. */
  session?: SessionId
  person: Person
  text: string
  files: RemoteFile[]
  /** IANA name, such as Europe/Berlin. */
  timeZone?: string
  /** It is said to the bot by name, or where nobody else is: a word alone may be a command. */
  addressed?: boolean
  /** The platform's own id of the message; without, it came through the console. */
  message?: string
  /** When it was said, by the platform's clock; ms since 1970. */
  at?: number
  /** Not the first of its thread: what stands before it may be unknown to the bot. */
  reply?: boolean
}

/** A message that a platform heard: who it is for is not decided yet. */
export interface Heard extends Incoming {
  /** The platform's own id of the message. */
  message: string
  at: number
  /** It names the bot, by its id. */
  mentioned: boolean
  /** Said where only the bot and this person are. */
  direct: boolean
  /** It names somebody else, and not the bot. */
  toOthers: boolean
  reply: boolean
  /** Who wrote it: `self` is this bot, and is only found in a history. */
  author: 'person' | 'bot' | 'self'
}

/** A message that was said before is not what it was. */
export interface Change {
  /** The message's own. */
  dedupKey: string
  thread: ThreadRef
  person: Person
  /** As it is now; absent when it was deleted. */
  now: Heard | undefined
}

/** Reasons for not answering what somebody said who may use the bot: it was heard all the same. */
export const overheard = {
  unnamed: 'It does not mention the bot, and this is not one of its threads.',
  mentionsOnly: 'It does not mention the bot (access.threads is mentions).',
  toOthers: 'It is said to somebody else.',
} as const

/** Something that the bot did not answer, and why: the reason is a sentence for people. The text itself is not kept. */
export interface Ignored {
  dedupKey: string
  thread: ThreadRef
  message: string
  person: Person
  reason: string
}

/** A file in a workspace. `path` is relative to it, with forward slashes; `type` is a MIME type; `size` in bytes. */
export interface WorkspaceFile {
  name: string
  path: string
  type: string
  size: number
  /** Of an upload that is a program or not what its name says: goes on a sentence, without the full stop. */
  notice?: string
}

/** What the bot says in a thread. */
export interface Outgoing {
  text: string
  /** Who is to be notified: `user:<id>`, `group:<id>`. Only the program itself names them. */
  ping?: string[]
  files: WorkspaceFile[]
}
