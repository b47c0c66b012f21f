import type { Config } from '../../src/config/config.ts'
import type { GrantChoice } from '../../src/domain/grant.ts'
import type { ModelScript } from '../support/model-server.ts'

/** A request's card as people see it in the thread. */
export interface Card {
  kind: 'approval' | 'question'
  title: string
  /** What can be clicked, by its label; what every card of its kind has, such as "Something else…", is left out. */
  choices: string[]
  /** What stands where the buttons were, once it is decided. */
  outcome: string | undefined
}

/** What people see in a thread, oldest first. */
export interface Seen {
  /** The bot's answers, without the line that tells what was done for them. */
  posts: { text: string; files: string[] }[]
  cards: Card[]
  /** Alarms that went off. */
  alarms: string[]
  /** What everybody is told of files that came along. */
  notices: string[]
  /** What shows progress now, and what a stopped turn has left. */
  progress: string[]
}

/** Whose hands are on which card: a place in `Seen.cards`, the latest without. */
export interface OnCard {
  person: string
  place?: number
}

/** What became of a click or a form. `voted`: it counts, and others are needed. */
export type Clicked = 'taken' | 'voted' | 'too-late' | 'not-allowed'

export interface ThreadDriver {
  /** Says something in the thread. `copies`: the platform delivers the same message so many times. Resolves with its id. */
  say(
    person: string,
    text: string,
    options?: { files?: Record<string, string>; copies?: number; mention?: boolean },
  ): Promise<string>
  click(person: string, choice: string): Promise<Clicked>
  /** Several choices of one question. */
  choose(person: string, choices: string[]): Promise<void>
  /** "Something else…": the person's own words in the card's form. */
  write(person: string, text: string): Promise<void>
  /** Denies with a reason in the card's form. */
  denyBecause(person: string, reason: string): Promise<void>
  /** "Always…": approves, with these choices in the card's form. */
  always(card: OnCard, choice: GrantChoice): Promise<Clicked>
  /** "Deny and say why…", with either, both or none. */
  denyWith(card: OnCard, words: { reason?: string; instead?: string }): Promise<Clicked>
  /** A form of several questions: for each an option's label or own words, '' where it stays empty. */
  fillForm(card: OnCard, answers: string[]): Promise<Clicked>
  /** What only this person was told in the thread, oldest first. */
  told(person: string): string[] | Promise<string[]>
  /** All that a card says now, as people read it. */
  cardText(card: Pick<OnCard, 'place'>): string | Promise<string>
  stop(person: string): Promise<void>
  see(): Promise<Seen>
  /** Waits until what is seen fits; throws when it does not come. */
  until(fits: (seen: Seen) => boolean): Promise<Seen>
  download(path: string): Promise<string>
}

/** What chat platforms have beyond the console. */
export interface ChatDriver {
  /** Says something in the channel, without naming the bot; resolves with the message's id. */
  chatter(person: string, text: string, options?: { files?: Record<string, string> }): Promise<string>
  /** Names the bot in the thread below a message that was said before. */
  mentionBelow(person: string, message: string, text: string): Promise<ThreadDriver>
  /** Says something below a message without naming the bot. */
  below(person: string, message: string, text: string): Promise<string>
  edit(person: string, message: string, text: string): Promise<void>
  delete(person: string, message: string): Promise<void>
  /** Below an answer of the bot (its latest), or on a person's message. */
  react(person: string, thread: ThreadDriver, what: 'again' | 'stop'): Promise<void>
  /** Another bot names this one in the channel. */
  botMentions(text: string): Promise<void>
  /** Alone with the bot. */
  direct(person: string, text: string): Promise<ThreadDriver>
  /** A session command as the platform's own, said in the channel; resolves with what only this person is told. */
  slash(person: string, words: string): Promise<string>
  /** The bot may not post in the channel any more, nor in its threads. */
  shutOut(): void
  /** It may again, and hears of that as the platform tells it. */
  letIn(): void
  /** What the bot said to a person in direct messages, oldest first. */
  toldAlone(person: string): string[]
  /** The id by which access lists know a person. */
  idOf(person: string): string
  /** How many people were notified by what the bot said. */
  pings(): number
  /** Broken limits and shapes. */
  violations(): string[]
  /** Waits until everything that was sent to the bot was acknowledged. */
  settled(): Promise<void>
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
  /**
   * Makes these people, and nobody else, the members of a user group or role: `approvers`. False where there are no groups.
   * Rules know it by `Ids.group`.
   */
  setGroup(group: string, people: string[]): Promise<boolean>
  /** How often the model was asked. */
  modelCalls(): number
  /** What the model was sent last, as text. */
  modelHeard(): string
  /** Undefined for the console, where everybody is the operator and everything is said to the bot. */
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
  /** Laid over the shipped configuration. */
  configDir?: string
  /** Variables beside those of the platform. */
  environment?: Record<string, string>
}

export type OpenDriver = (script: ModelScript, options?: OpenOptions) => Promise<PlatformDriver>
