import type { RequestId, SessionId } from './ids.ts'

/** A person as one platform knows them. Only `id` identifies them; `name` is for people and the model. */
export interface Person {
  id: string
  name: string
  bot?: true
  /** Of another Slack workspace, in a shared channel. */
  outside?: true
  /** Slack didn't say which workspace they are from. They count as `outside` meanwhile. */
  unchecked?: true
}

/** The platform doesn't say who. */
export const somebody: Person = { id: '', name: 'somebody' }

/** Where a session lives. `thread` is the id of its root message. */
export interface ThreadRef {
  platform: string
  tenant: string
  project: string
  thread: string
}

/**
 * The tenant of Discord's direct messages. They belong to no server, so strangers share it: nobody there may change
 * what holds in the whole tenant.
 */
export const directTenant = 'dm'

/** A file of a message that is still on the platform. `size` in bytes, 0 when unknown. */
export interface RemoteFile {
  id: string
  name: string
  size: number
  /** The key of the message that it belongs to, if that is quoted by the one that it comes with. */
  of?: string
}

/** What a platform received, in our words. `dedupKey` says what it is, never when it came. */
export interface Incoming {
  dedupKey: string
  thread: ThreadRef
  /** Names an existing session; then `thread` is ignored. */
  session?: SessionId
  person: Person
  text: string
  files: RemoteFile[]
  /** IANA name, such as Europe/Berlin. */
  timeZone?: string
  /** It takes the place of the message that this event reported. Without words and files, it has the same ones. */
  replaces?: number
  /** It mentions the bot, or the bot is alone with the person, so a single word may be a command. */
  addressed?: boolean
  /** The message's id on the platform. The console has none. */
  message?: string
  /** In the console: the number of the last event that its author had on the screen. */
  seen?: number | undefined
  /** When it was said, by the platform's clock, ms. */
  at?: number
  /** When it was last edited, by the platform's clock, ms. */
  editedAt?: number | undefined
  /** It isn't the first of its thread, so the bot may not know what stands above it. */
  reply?: boolean
  /** Not all of its text is its author's: it forwards a message, or quotes somebody else's. */
  quotesOthers?: true | undefined
  /** The question that it answers, by somebody who was found to be allowed to. If it can't, it isn't heard at all. */
  answers?: RequestId
}

/** A message that a platform heard, before it is decided whether it's for the bot. */
export interface Heard extends Incoming {
  /** The message's id on the platform. */
  message: string
  at: number
  /** It mentions the bot by its id. */
  mentioned: boolean
  /** Only the bot and this person can read it. */
  direct: boolean
  /** It mentions somebody else, and not the bot. */
  toOthers: boolean
  reply: boolean
  /** Who wrote it. `self` is this bot, found only when history is read back. */
  author: 'person' | 'bot' | 'self'
}

/** A message was edited or deleted. */
export interface Change {
  /** The message's own key. */
  dedupKey: string
  /** The message's id on the platform. */
  message: string
  thread: ThreadRef
  person: Person
  /** The message as it is now; undefined when it was deleted. */
  now: Heard | undefined
}

/** Why messages of people who may use the bot aren't answered. */
export const overheard = {
  unnamed: 'It doesn’t mention the bot, and this isn’t one of its threads.',
  mentionsOnly: 'It doesn’t mention the bot (access.threads is set to mentions).',
  toOthers: 'It’s addressed to somebody else.',
} as const

/** Something the bot didn't answer, with the reason as a sentence. The text isn't kept. */
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
  /** Set for an upload that is a program, or isn't what its name says. Completes a sentence, without the full stop. */
  notice?: string
}

/** What the bot says in a thread. */
export interface Outgoing {
  text: string
  /** Whom to notify: `user:<id>`, `group:<id>`. Only the program itself sets this. */
  ping?: string[]
  files: WorkspaceFile[]
}
