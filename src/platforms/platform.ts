import type { Heard, RemoteFile, ThreadRef, WorkspaceFile } from '../domain/chat.ts'
import type { Request } from '../domain/request.ts'
import type { TurnView } from '../domain/turn-view.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { InboundSink } from './inbound-sink.ts'

/** A file of the workspace to be posted. */
export interface OutgoingFile extends WorkspaceFile {
  /** Throws Failure if it is gone, or too large to be posted. */
  bytes(): Promise<Uint8Array>
}

/** What the bot shows in a thread. `text` is Markdown as the model wrote it, so it may be hostile. */
export type Content =
  /**
   * The end of a turn, or of a part of it. `record`: what was done for it; absent in answers without a turn.
   * `ping`: whom to notify, as `user:<id>` or `group:<id>`, at the beginning of the text.
   */
  | { kind: 'answer'; text: string; files: OutgoingFile[]; record: TurnView | undefined; ping?: string[] }
  /** A request as it is now: with its buttons while it waits, and afterwards with who decided what and when. */
  | { kind: 'card'; request: Request }
  /** A progress message whose turn was stopped, or is waiting: what it had done so far. */
  | { kind: 'record'; record: TurnView }
  /**
   * Another attempt at files that an answer should have carried: they are posted, or NotPosted is thrown. Nothing is
   * said in their place.
   */
  | { kind: 'files'; files: OutgoingFile[] }

/** Helps to find a message again if nobody knows whether it was posted. */
export interface Posting {
  /** Unique for this message, the same at every attempt; at most 80 characters of A-Z a-z 0-9 _ . - */
  key: string
  /** What `remember` was given at an earlier attempt. */
  note: string | undefined
  /** Keeps something that finding it will need, such as the id of an uploaded file. Stored when it resolves. */
  remember(note: string): Promise<void>
  /** It wasn't posted before this time, ms: where a search can begin. */
  since: number
  /** Whether this message id belongs to another message of ours. */
  isOther(id: string): Promise<boolean>
  /**
   * These files of the page can't be posted now, and the message says so; they follow later. Stored when it resolves.
   * The files of a second call replace those of the first: none, once all of them are posted after all.
   */
  postpone(files: OutgoingFile[]): Promise<void>
}

/**
 * What to do after a refusal. `later`: another attempt may work soon. `repairable`: it will work once somebody has
 * fixed something, and is tried until then. `never`: the thread or the message is gone, or the message itself is
 * refused.
 */
export type Again = 'later' | 'repairable' | 'never'

/** Why a platform refuses something, as parts of sentences. */
export interface Reason {
  why: string
  /** The reason in the bot's own words, if they differ: "I'm not in the channel". */
  said?: string
  /** A sentence without its full stop, for those who can fix it: "Invite me with /invite". */
  remedy?: string
  /** The thread no longer exists, or its channel, or the person it is with: nothing can ever be posted there. */
  gone?: boolean
  /** Only the message that was to be changed no longer exists. */
  isMissing?: boolean
  /** The token isn't accepted, so nothing can be posted anywhere. */
  everywhere?: boolean
}

export interface NotPostedDetails extends ErrorOptions, Omit<Reason, 'why'> {
  /** When to try again what is refused for now, ms. */
  afterMs?: number | undefined
}

/** It was not posted; the reason is part of a sentence. Anything else that `post` and `edit` throw leaves that open. */
export class NotPosted extends Error {
  readonly again: Again
  readonly afterMs: number | undefined
  readonly remedy: string | undefined
  readonly said: string
  readonly gone: boolean
  readonly isMissing: boolean
  readonly everywhere: boolean

  constructor(again: Again, message: string, details: NotPostedDetails = {}) {
    const { afterMs, remedy, said = message, ...flags } = details
    const { gone = false, isMissing = false, everywhere = false, ...options } = flags
    super(message, options)
    this.name = 'NotPosted'
    this.again = again
    this.afterMs = afterMs
    this.remedy = remedy
    this.said = said
    this.gone = gone
    this.isMissing = isMissing
    this.everywhere = everywhere
  }
}

/**
 * A turn's message while the turn is running. Nothing is posted before there is something worth seeing. What is shown
 * may lag behind or be lost; the answer may not.
 */
export interface LiveReply {
  /** A newer view replaces one that hasn't been shown yet. Never throws. */
  show(view: TurnView): void
  /** True once something was, or may have been, posted. */
  readonly begun: boolean
  /**
   * Turns the message into this page, posting it if nothing was; resolves with its id. Throws as `post` does, and
   * NotPosted `never` if the message is gone: then the page is posted on its own.
   */
  finish(page: unknown): Promise<string>
  /** Leaves the message as it is: the turn continues in another process, or another message replaces this one. */
  leave(): Promise<void>
}

export interface LiveOptions {
  posting: Posting
  /** Who the answer is for. */
  reader: { id: string; name: string }
  /** What the thread is called. */
  title: string
  /**
   * Awaited before anything is posted; `note` is stored with it. False if its end is being posted some other way: then
   * nothing may be posted, and `finish` isn't called.
   */
  begin(note?: string): Promise<boolean>
  /**
   * Awaited after each attempt to post it that `begin` has allowed; without an id if it failed. Until then, no other
   * process looks for the message.
   */
  posted(id: string | undefined): Promise<void>
  /**
   * Wraps each call that shows progress. Resolves with `over` if another process has taken over meanwhile: the call may
   * have overwritten the end, so the end is delivered again.
   */
  change<T>(write: () => Promise<T>): Promise<T | 'over'>
  /** Where an earlier process posted it. */
  id: string | undefined
  /** An earlier process may have posted it: `find` knows. */
  unsure: boolean
}

/** What a platform keeps over a restart, by name: cursors, budgets, hashes. Never secrets. */
export interface Notes {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
}

/** Notes of several processes. */
export interface SharedNotes extends Notes {
  /** What a note is called of which each process has its own. */
  own(name: string): string
  /**
   * Takes away such notes of processes that are gone, and keeps what `merge` makes of theirs and ours as ours.
   * Undefined if there were none.
   */
  inherit(name: string, merge: (theirs: string[], ours: string | undefined) => string): Promise<string | undefined>
}

/** Something that only one of several processes does at a time, such as keeping a connection. */
export interface Duty {
  /**
   * Calls `begin` whenever the duty falls to this process, and `end` when it no longer has it. Resolves when `begin`
   * has ended, or if another process has it; rejects if the first `begin` fails.
   */
  take(work: DutyWork): Promise<void>
  /** Who has it; undefined while nobody has. */
  readonly heldBy: { node: string; isHere: boolean; isSettled: boolean; except: string[] } | undefined
  /** The one that has it has, or hasn't, caught up with everything, except for these: ids without spaces. */
  settled(is: boolean, except?: string[]): void
  /** The same notes, but only whoever has the duty writes them. */
  notes: Notes
  /** Gives it up, for good. */
  leave(): Promise<void>
}

export interface DutyWork {
  begin(): Promise<void>
  /** What was begun ends. Until then, no other process begins, unless this one was replaced. */
  end(): Promise<void>
}

/** The other processes. */
export interface Others {
  duty(name: string): Duty
  /** Calls `tell` when one of them is gone, before its turns are taken over. */
  whenGone(tell: () => void): void
}

/** Among several processes: sets of keys that each of them notes for itself. */
export interface NodeNotes {
  set(name: string, keys: string[]): Promise<void>
  /** The keys of processes that are no more; they are noted as ours now. */
  inherit(name: string): Promise<string[]>
  /** Whether one of the other processes has noted this key. */
  isOthers(name: string, key: string): Promise<boolean>
}

/** What every platform is built with. */
export interface PlatformDeps {
  notes: SharedNotes
  /** Undefined when this process is alone. */
  nodeNotes?: NodeNotes | undefined
  /** Whether another process has taken over. Asked before each call that writes. */
  isReplaced(): Promise<boolean>
  /** Undefined where there is only one process. */
  others?: Others | undefined
  clock: Clock
  log: Log
  /** How progress is shown. */
  show: ShowSettings
  /** After a gap, threads used within this many days are read even if the platform doesn't list them as active. */
  catchUpDays: number
}

export interface ShowSettings {
  /** A turn that takes longer shows its progress, ms. A faster one only posts its answer. */
  firstMs: number
  /** The shortest time between two views, ms. */
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
  /** Nothing reaches it, but it stays ready: out of service, it would never be reached. */
  waits?: true
}

/**
 * A chat platform. No member is optional: if a platform lacks a feature, the member does nothing, and the contract
 * suite says so.
 *
 * To add one, make a folder beside this file with a function that returns this; `wiring/connect.ts` calls it, and a
 * driver in `tests/contract/` lets the suites run against it. Lay out its folders as `slack/` and `discord/` do, and
 * use what they share: `calls/` for writing within a platform's limits, `live/` for the pace of a live message, `gaps/`
 * for what was missed, `words/` for what cards, records and refused files say.
 */
export interface ChatPlatform {
  readonly name: string
  /** `followed`: its screens read the events themselves, and nothing is posted while a turn runs. */
  readonly progress: 'posted' | 'followed'
  start(sink: InboundSink): Promise<void>
  /** Afterwards, whatever was received but not stored is no longer acknowledged. */
  stop(): Promise<void>
  health(): Health
  /**
   * How something looks on the platform: a page for each message it takes; none for the record of a turn that did
   * nothing. Pure; only the platform knows what a page contains.
   */
  pages(content: Content): unknown[]
  /**
   * Posts one page and resolves with the platform's id of the message. Throws NotPosted if it certainly wasn't posted.
   */
  post(thread: ThreadRef, page: unknown, posting: Posting): Promise<string>
  /** Whether a page with this key was posted before a crash, or by a call that failed. */
  find(thread: ThreadRef, posting: Posting): Promise<string | undefined>
  /** Replaces a message of ours; repeating it is harmless. Throws NotPosted `never` if it is gone or can't be this. */
  edit(thread: ThreadRef, id: string, page: unknown, postpone?: Posting['postpone']): Promise<void>
  /** Deletes a message of ours; if it is gone already, that isn't a failure. */
  remove(thread: ThreadRef, id: string): Promise<void>
  /** Gives the thread this name there, if it has one of its own. Never throws. */
  rename(thread: ThreadRef, title: string): Promise<void>
  live(thread: ThreadRef, options: LiveOptions): LiveReply
  /** Where to tell a person that something can't be posted in the thread, best first; for `post` and `find`. */
  elsewhere(thread: ThreadRef, person: string): Promise<ThreadRef[]>
  /** Whether one message of a thread came after another, by their ids. */
  isLater(message: string, than: string): boolean
  /** If there may be a gap, hears what was said in this thread meanwhile. Undefined if nothing can be missing. */
  catchUp(thread: ThreadRef): Promise<void> | undefined
  /**
   * What was said in the thread before `before` (a message's key), except by us in private: oldest first, at most
   * `limit`.
   */
  history(thread: ThreadRef, before: string, limit: number): Promise<Heard[]>
  /** Link to the thread or to a message in it, for people. */
  link(thread: ThreadRef, message?: string): string | undefined
  /** The id of the message that somebody named by a link or an id, if it is one. */
  messageIn(text: string): string | undefined
  download(file: RemoteFile): Promise<ReadableStream<Uint8Array>>
  /** Whether a person belongs to a user group or role right now. Throws if that can't be found out. */
  isMember(thread: ThreadRef, person: string, group: string): Promise<boolean>
}
