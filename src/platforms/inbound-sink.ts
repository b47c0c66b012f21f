import type { Change, Heard, Ignored, ThreadRef } from '../domain/chat.ts'
import type { HomeView } from '../domain/home.ts'
import type { Given } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'

/** What became of a click or a form. */
export type ClickOutcome =
  | { kind: 'taken'; request: Request }
  /** It counts, but others are needed too: the card shows how many. */
  | { kind: 'voted'; request: Request }
  /** Somebody else was first, or nobody is waiting for it any more. */
  | { kind: 'too-late'; request: Request }
  | { kind: 'not-found' }
  | { kind: 'not-allowed'; reason: string }
  | { kind: 'unfit' }

export interface HeardOutcome {
  /** `not-taken`: the question that it may answer takes no answer any more, so nothing was stored. */
  kind: 'new' | 'duplicate' | 'ignored' | 'not-taken'
  /**
   * It began this thread, but later messages had come before it and were ignored: they have to be read and heard again.
   */
  cameLate?: true
}

/** Takes what a platform receives. Once a promise resolves, the event is stored and may be acknowledged. */
export interface InboundSink {
  /**
   * A message that the bot can see, whether or not it is for the bot: the sink decides, and stores why not. Duplicates
   * resolve too.
   */
  hear(heard: Heard): Promise<HeardOutcome>
  /** A message was edited or deleted. If it was ignored before, it may now be for the bot; then it is heard. */
  change(change: Change): Promise<void>
  /**
   * A click on a card, or a form. `id` is what the button carried. On a Home, it must wait in one of the person's
   * projects.
   */
  answer(id: string, given: Given, by: PersonInChannel | HomeOf): Promise<ClickOutcome>
  /** Why an answer to this question wouldn't be accepted from this person now; undefined if one might be. */
  whyNot(id: string, by: PersonInChannel): Promise<ClickOutcome | undefined>
  /** Whether files may go with an answer: only a thread's own session fetches them. */
  takesFiles(request: Request): Promise<boolean>
  /** For a form: what is asked. Undefined when there is no such request. */
  request(id: string): Promise<Request | undefined>
  /**
   * A session command that didn't come as a message: a slash command, a button, a reaction. Resolves with the reply.
   */
  command(command: GivenCommand): Promise<string>
  /** Feedback on an answer; the last one of a person counts. */
  feedback(on: FeedbackOn, by: PersonInChannel): Promise<void>
  /** What a person sees of what the bot does for them; undefined if they may not use it. */
  home(of: HomeOf): Promise<HomeView | undefined>
  /** Somebody gave the thread another name. */
  renamed(thread: ThreadRef, title: string): Promise<void>
  /** Somebody deleted the thread. */
  threadDeleted(thread: ThreadRef): Promise<void>
  /** Something else that is not answered. */
  ignore(ignored: Ignored): Promise<void>
  /** Something changed in this thread, or everywhere, so what was refused may be accepted now. */
  changed(where: { tenant?: string; project?: string }): Promise<void>
  /** The threads with activity since this time (ms): after a gap, they are read again. */
  threads(since: number): Promise<ThreadRef[]>
}

export interface HomeOf {
  person: { id: string; name: string }
  tenant: string
  /** The channels that they are in now, with those of their direct messages. */
  projects: ReadonlySet<string>
}

export interface FeedbackOn {
  thread: ThreadRef
  message: string
  value: 'good' | 'bad'
  /** In the person's own words. */
  reason?: string | undefined
}

/** Who did something, and where. */
export interface PersonInChannel {
  person: { id: string; name: string }
  tenant: string
  project: string
}

export interface GivenCommand {
  /** Derived from the event: the same event again changes nothing. */
  dedupKey: string
  name: string
  argument: string
  person: { id: string; name: string }
  /** If absent, the command is about the channel. */
  thread: ThreadRef | undefined
  /** The turn that it is about, if it was given by a button of that turn. */
  turn?: string
  /** The message that somebody reacted to with it, by its id on the platform. */
  message?: string
  /** When it was given, by the platform's clock, ms: it may be delivered late. */
  at?: number
  tenant: string
  project: string
}
