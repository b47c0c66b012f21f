import type { Config } from '../../src/config/config.ts'
import type { GrantChoice } from '../../src/domain/grant.ts'
import type { ModelScript } from '../support/model-server.ts'

/** A request's card as people see it in the thread. */
export interface Card {
  kind: 'approval' | 'question'
  title: string
  /** The labels of its buttons, without those that every card has, such as "Something else…". */
  choices: string[]
  /** The text that replaces the buttons once it is decided. */
  outcome: string | undefined
}

/** What people see in a thread, oldest first. */
export interface Seen {
  /** The bot's answers, without the line that sums up the turn. */
  posts: { text: string; files: string[] }[]
  cards: Card[]
  /** Alarms that went off. */
  alarms: string[]
  /** Warnings to everybody about attached files. */
  notices: string[]
  /** Progress on show, and what remains of a stopped turn. */
  progress: string[]
}

/** Who clicks on which card: an index into `Seen.cards`, by default the latest. */
export interface OnCard {
  person: string
  place?: number
}

/** The outcome of a click or a form. `voted`: it counts, but more votes are needed. */
export type Clicked = 'taken' | 'voted' | 'too-late' | 'not-allowed'

export interface ThreadDriver {
  /** Posts in the thread. `copies`: how often the platform delivers the message. Resolves with its id. */
  say(
    person: string,
    text: string,
    options?: { files?: Record<string, string>; copies?: number; mention?: boolean },
  ): Promise<string>
  click(person: string, choice: string): Promise<Clicked>
  /** Chooses several options of one question. */
  choose(person: string, choices: string[]): Promise<void>
  /** "Something else…": answers in the person's own words, in the card's form. */
  write(person: string, text: string): Promise<void>
  /** Denies with a reason in the card's form. */
  denyBecause(person: string, reason: string): Promise<void>
  /** "Always…": approves, with these choices in the card's form. */
  always(card: OnCard, choice: GrantChoice): Promise<Clicked>
  /** "Deny and say why…", with a reason, an alternative, both or neither. */
  denyWith(card: OnCard, words: { reason?: string; instead?: string }): Promise<Clicked>
  /** Answers a form with several questions: an option's label or own words for each, '' to leave it empty. */
  fillForm(card: OnCard, answers: string[]): Promise<Clicked>
  /** What was shown only to this person in the thread, oldest first. */
  told(person: string): string[] | Promise<string[]>
  /** The current text of a card as people read it. */
  cardText(card: Pick<OnCard, 'place'>): string | Promise<string>
  stop(person: string): Promise<void>
  see(): Promise<Seen>
  /** Waits until `fits` holds for what people see; throws if it never does. */
  until(fits: (seen: Seen) => boolean): Promise<Seen>
  download(path: string): Promise<string>
}

/** What chat platforms have in addition to the console. */
export interface ChatDriver {
  /** Posts in the channel without mentioning the bot; resolves with the message's id. */
  chatter(person: string, text: string, options?: { files?: Record<string, string> }): Promise<string>
  /** Mentions the bot in the thread of an earlier message. */
  mentionBelow(person: string, message: string, text: string): Promise<ThreadDriver>
  /** Replies to a message without mentioning the bot. */
  below(person: string, message: string, text: string): Promise<string>
  edit(person: string, message: string, text: string): Promise<void>
  delete(person: string, message: string): Promise<void>
  /** Deletes the bot's latest message, as those may who look after a channel. */
  deleteLatest(person: string, thread: ThreadDriver): Promise<void>
  /** Reacts to the bot's latest answer, or to a person's message. */
  react(person: string, thread: ThreadDriver, what: 'again' | 'stop', to?: 'first' | 'last'): Promise<void>
  /** Another bot mentions this one in the channel. */
  botMentions(text: string): Promise<void>
  /** Sends the bot a direct message. */
  direct(person: string, text: string): Promise<ThreadDriver>
  /** A session command as a slash command in the channel; resolves with the reply that only this person sees. */
  slash(person: string, words: string): Promise<string>
  /** Stops the bot from posting in the channel and its threads. */
  shutOut(): void
  /** Allows it again, and tells the bot as the platform would. */
  letIn(): void
  /** What the bot said to a person in direct messages, oldest first. */
  toldAlone(person: string): string[]
  /** The id by which access lists know a person. */
  idOf(person: string): string
  /** How many people were notified by what the bot said. */
  pings(): number
  /** Limits and formats that the bot broke. */
  violations(): string[]
  /** Waits until everything that was sent to the bot was acknowledged. */
  settled(): Promise<void>
}

/** One platform for the suite: a complete bot, people, and what they see. Everything goes through its front door. */
export interface PlatformDriver {
  /** Mentions the bot in a channel; the answer comes in the thread. */
  mention(
    person: string,
    text: string,
    options?: { files?: Record<string, string>; copies?: number },
  ): Promise<ThreadDriver>
  restart(): Promise<void>
  /**
   * Makes exactly these people the members of the user group or role `approvers`. False on platforms without groups.
   * Rules know it as `Ids.group`.
   */
  setGroup(group: string, people: string[]): Promise<boolean>
  /** How often the model was asked. */
  modelCalls(): number
  /** What the model was sent last, as text. */
  modelHeard(): string
  /** Undefined for the console, where everybody is the operator and every message is for the bot. */
  chat: ChatDriver | undefined
}

/** The ids by which rules know people and groups. */
export interface Ids {
  person(name: string): string
  group(name: string): string
}

export interface OpenOptions {
  rules?: (ids: Ids) => Partial<Config['rules']>
  access?: (idOf: (person: string) => string) => Partial<Config['access']>
  show?: Partial<Config['show']>
  /** Overrides the shipped configuration. */
  configDir?: string
  /** Environment variables besides the platform's own. */
  environment?: Record<string, string>
}

export type OpenDriver = (script: ModelScript, options?: OpenOptions) => Promise<PlatformDriver>
