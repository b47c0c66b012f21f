import type { ModelScript } from '../support/model-server.ts'

/** A request's card as people see it in the thread. */
export interface Card {
  kind: 'approval' | 'question' | 'decision'
  title: string
  /** What can be clicked, by its label. */
  choices: string[]
  /** What stands where the buttons were, once it is decided. */
  outcome: string | undefined
}

/** What people see in a thread, oldest first. */
export interface Seen {
  /** The bot's messages. */
  posts: { text: string; files: string[] }[]
  cards: Card[]
  /** Alarms that went off. */
  alarms: string[]
}

export interface ThreadDriver {
  /** Says something in the thread. `copies`: the platform delivers the same message so many times. */
  say(person: string, text: string, options?: { files?: Record<string, string>; copies?: number }): Promise<void>
  click(person: string, choice: string): Promise<'taken' | 'too-late'>
  stop(person: string): Promise<void>
  see(): Promise<Seen>
  /** Waits until what is seen fits; throws when it does not come. */
  until(fits: (seen: Seen) => boolean): Promise<Seen>
  download(path: string): Promise<string>
}

/** One platform under the suite: a whole bot, people, and what they see. Everything goes through its front door. */
export interface PlatformDriver {
  /** Mentions the bot in a channel; the answer comes in the thread. */
  mention(
    person: string,
    text: string,
    options?: { files?: Record<string, string>; copies?: number },
  ): Promise<ThreadDriver>
  restart(): Promise<void>
  /** How often the model was asked. */
  modelCalls(): number
}

export type OpenDriver = (script: ModelScript) => Promise<PlatformDriver>
