import type { Change, Heard, Ignored, RemoteFile, ThreadRef, WorkspaceFile } from '../domain/chat.ts'
import type { Given } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'
import type { TurnView } from '../domain/turn-view.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'

/** A file of the workspace that goes out. */
export interface OutgoingFile extends WorkspaceFile {
  /** Throws Failure when it is gone, or too large to be posted. */
  bytes(): Promise<Uint8Array>
}

/** What the bot shows in a thread. `text` is Markdown as the model wrote it: hostile. */
export type Content =
  /**
   * What ends a turn, or a part of it. `record`: what was done for it; absent in answers that no turn stands behind.
   * `ping`: whom to notify, as `user:<id>` or `group:<id>`, at the beginning of the text.
   */
  | { kind: 'answer'; text: string; files: OutgoingFile[]; record: TurnView | undefined; ping?: string[] }
  /** A request as it is now: with its buttons while it waits, with who decided what and when afterwards. */
  | { kind: 'card'; request: Request }
  /** A message of progress whose turn was stopped, or waits: what it had come to. */
  | { kind: 'record'; record: TurnView }
  /** Files that an answer was to carry and could not, once more: posted, or NotPosted, and nothing is said in their place. */
  | { kind: 'files'; files: OutgoingFile[] }

/** By which a message is found again when it is not known whether it was posted. */
export interface Posting {
  /** Unique for this message, the same at every attempt; at most 80 characters of A-Z a-z 0-9 _ . - */
  key: string
  /** What `remember` was given at a former attempt. */
  note: string | undefined
  /** Keeps something that finding it will need, such as the id of a file that was uploaded. Stored when it resolves. */
  remember(note: string): Promise<void>
  /** Not before this time, ms: where to begin to look. */
  since: number
  /** Whether the message with this id is known as another one of ours. */
  isOther(id: string): Promise<boolean>
  /** These files of the page cannot be posted now, and the message says so: they come later. Stored when it resolves. */
  postpone(files: OutgoingFile[]): Promise<void>
}

/**
 * What is to be made of a refusal. `later`: another attempt may work soon. `repairable`: it works as soon as somebody has
 * mended something, and is tried until then. `never`: the thread or the message is gone, or the message itself is refused.
 */
export type Again = 'later' | 'repairable' | 'never'

/** Why a platform refuses something, as parts of sentences. */
export interface Reason {
  why: string
  /** The reason as the bot says it of itself, where that differs: "I'm not in the channel". */
  said?: string
  /** A sentence without its full stop, for those who can mend it: "Invite me with /invite". */
  remedy?: string
}

export interface Refusal extends ErrorOptions, Omit<Reason, 'why'> {
  /** When to try again what is refused for now, ms. */
  afterMs?: number | undefined
}

/** It was not posted, for a reason that is part of a sentence. Anything else that `post` and `edit` throw leaves that open. */
export class NotPosted extends Error {
  readonly again: Again
  readonly afterMs: number | undefined
  readonly remedy: string | undefined
  readonly said: string

  constructor(again: Again, message: string, { afterMs, remedy, said = message, ...options }: Refusal = {}) {
    super(message, options)
    this.name = 'NotPosted'
    this.again = again
    this.afterMs = afterMs
    this.remedy = remedy
    this.said = said
  }
}

/**
 * A turn's message while the turn goes on. Nothing is posted before there is something worth seeing, and what is shown may
 * lag behind or be lost: the answer may not.
 */
export interface LiveReply {
  /** A newer view replaces one that was not shown yet. Never throws. */
  show(view: TurnView): void
  /** True once something was, or may have been, posted. */
  readonly begun: boolean
  /**
   * Ends the message as this page, posting it if nothing was; resolves with its id. Throws as `post` does, and NotPosted
   * `never` when the message is gone: then the page is posted on its own.
   */
  finish(page: unknown): Promise<string>
  /** Leaves the message as it is: the turn goes on in another process, or another message takes its place. */
  leave(): Promise<void>
}

export interface LiveOptions {
  posting: Posting
  /** Who the answer is for. */
  reader: { id: string; name: string }
  /**
   * Awaited before anything is posted; `note` is kept along. False when its end is posted otherwise: then nothing may be, and
   * `finish` is not called.
   */
  begin(note?: string): Promise<boolean>
  /** Awaited after it was. */
  posted(id: string): Promise<void>
  /**
   * Within this more progress is shown. Resolves with `over` when another process has taken over meanwhile: then the end, which
   * may have been written over, is delivered again.
   */
  change<T>(write: () => Promise<T>): Promise<T | 'over'>
  /** Where a former process posted it. */
  id: string | undefined
  /** A former process may have posted it: `find` tells. */
  unsure: boolean
}

/** What became of a click or a form. */
export type ClickOutcome =
  | { kind: 'taken'; request: Request }
  /** It counts, and others are needed too: the card shows how many. */
  | { kind: 'voted'; request: Request }
  /** Somebody was first, or nobody waits for it any more. */
  | { kind: 'too-late'; request: Request }
  | { kind: 'not-found' }
  | { kind: 'not-allowed'; reason: string }
  | { kind: 'unfit' }

/** Where a platform brings what it received. When a promise resolves, the thing is stored and may be acknowledged. */
export interface InboundSink {
  /** A message that the bot can see, whether for it or not: the sink decides, and stores why not. Duplicates resolve too. */
  hear(heard: Heard): Promise<{ kind: 'new' | 'duplicate' | 'ignored' }>
  /** A message was edited or deleted. One that was ignored may now be for the bot: then it is heard. */
  change(change: Change): Promise<void>
  /** A click on a card, or a form. `id` is what the button carried. */
  answer(id: string, given: Given, by: PersonInChannel): Promise<ClickOutcome>
  /** For a form: what is asked. Undefined when there is no such request. */
  request(id: string): Promise<Request | undefined>
  /** A session command that came otherwise than as a message: a slash command, a button, a reaction. Resolves with what to say. */
  command(command: GivenCommand): Promise<string>
  /** Feedback on an answer. */
  feedback(on: { thread: ThreadRef; message: string; value: 'good' | 'bad' }, by: PersonInChannel): Promise<void>
  /** Something else that is not answered. */
  ignore(ignored: Ignored): Promise<void>
  /** Something has changed there, or everywhere, so that what was refused may be posted now. */
  changed(where: { tenant?: string; project?: string }): Promise<void>
  /** The threads where something happened since then (ms): after a gap, they are read again. */
  threads(since: number): Promise<ThreadRef[]>
}

/** Who did something, and how. */
export interface PersonInChannel {
  person: { id: string; name: string }
  tenant: string
  project: string
}

export interface GivenCommand {
  /** Made of what the thing is: the same again changes nothing. */
  dedupKey: string
  name: string
  argument: string
  person: { id: string; name: string }
  /** Without, the command is about the channel. */
  thread: ThreadRef | undefined
  tenant: string
  project: string
}

/** What a platform keeps over a restart, by name: cursors, budgets, hashes. Never secrets. */
export interface Notes {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
}

/** What every platform is built with. */
export interface PlatformDeps {
  notes: Notes
  /** Whether another process has taken over. Asked before each call that writes. */
  isReplaced(): Promise<boolean>
  clock: Clock
  log: Log
  /** How progress is shown. */
  show: ShowSettings
}

export interface ShowSettings {
  /** A turn that takes longer shows its progress, ms. Before, the answer alone is posted. */
  firstMs: number
  /** Progress is shown at most this often, ms. */
  everyMs: number
  /** A longer answer is attached as a file, with its beginning as the message. */
  mostMessages: number
}

export interface Health {
  /** The connection is open and answers. */
  ok: boolean
  /** In plain words. */
  detail: string
  /** What to do about it. */
  remedy?: string
}

/**
 * A chat platform. No member is optional: what a platform lacks, it does as nothing, and the contract suite says so.
 *
 * A new one is a folder beside this file, with a function that returns this; `wiring/connect.ts` calls it, and a driver in
 * `tests/contract/` lets the suites run against it. Lay its rooms out as `slack/` and `discord/` do. What they share is there to
 * be used: `calls/` for writing within a platform's limits, `live/` for the pace of a live message, `gaps/` for what was missed,
 * `words/` for what cards, records and refused files say.
 */
export interface ChatPlatform {
  readonly name: string
  /** `followed`: its screens read the events themselves, and nothing is posted while a turn runs. */
  readonly progress: 'posted' | 'followed'
  start(sink: InboundSink): Promise<void>
  /** What was received and not stored is not acknowledged any more. */
  stop(): Promise<void>
  health(): Health
  /**
   * How something looks there: one page for each message that it takes; none for the record of a turn that has come to
   * nothing. Pure; what a page holds is the platform's own.
   */
  pages(content: Content): unknown[]
  /** Posts one page and resolves with the platform's id of the message. Throws NotPosted when it certainly did not. */
  post(thread: ThreadRef, page: unknown, posting: Posting): Promise<string>
  /** Whether a page with this key was posted before a crash, or by a call that failed. */
  find(thread: ThreadRef, posting: Posting): Promise<string | undefined>
  /** Replaces a message of ours. The same again is harmless. Throws NotPosted `never` when it is gone. */
  edit(thread: ThreadRef, id: string, page: unknown, postpone?: Posting['postpone']): Promise<void>
  /** Takes a message of ours away; one that is gone already is no failure. */
  remove(thread: ThreadRef, id: string): Promise<void>
  live(thread: ThreadRef, options: LiveOptions): LiveReply
  /** Where a person can be told that something cannot be posted in the thread, best first; for `post` and `find`. */
  elsewhere(thread: ThreadRef, person: string): Promise<ThreadRef[]>
  /** Whether one message of a thread was said after another, by their ids. */
  isLater(message: string, than: string): boolean
  /**
   * While there may be a gap in what was heard, hears what was said in this thread meanwhile. Undefined when nothing can be
   * missing.
   */
  catchUp(thread: ThreadRef): Promise<void> | undefined
  /** What was said in the thread before `before` (a message's key) and is not ours alone to know: oldest first, `limit` at most. */
  history(thread: ThreadRef, before: string, limit: number): Promise<Heard[]>
  /** Address of the thread or of a message in it, for people. */
  link(thread: ThreadRef, message?: string): string | undefined
  /** The id of the message that somebody named by a link or an id, if it is one. */
  messageIn(text: string): string | undefined
  download(file: RemoteFile): Promise<ReadableStream<Uint8Array>>
  /** Whether a person belongs to a user group or role, as it is now. Throws when that cannot be found out. */
  isMember(thread: ThreadRef, person: string, group: string): Promise<boolean>
}
