import type { Moment } from '../plan.ts'
import type { Random } from '../random.ts'

/** A place as the bot's rows name it; a thread is known by its first message. */
export interface Place {
  project: string
  thread: string
}

export interface Upload {
  name: string
  content: string
}

export interface Saying {
  user: string
  text: string
  /** Undefined if it starts a thread, in this channel or in direct messages. */
  place: Place | undefined
  channel: string | 'direct'
  /** Whether it mentions the bot. */
  named: boolean
  uploads: Upload[]
  /** How often the platform delivers it. */
  copies: number
  /** No event is sent; it is only in the history. */
  silent: boolean
}

/** A message as people see it. */
export interface Seen {
  id: string
  /** Whether the bot wrote it. */
  own: boolean
  text: string
  files: Upload[]
  /** Labels that can be clicked. */
  buttons: string[]
  /** Whether it shows progress. */
  working: boolean
  /** The bot's hidden key for it, if the platform shows it. */
  key: string | undefined
}

/** The outcome of a click: the bot noticed it or not, or there was nothing left to click. */
export type Clicked = 'heard' | 'unheard' | 'gone'

/** A problem that ends by itself. */
export interface Trouble {
  name: string
  of: 'calls' | 'connection'
  begin(random: Random): void | Promise<void>
}

/** A fake chat platform with its people. */
export interface Stage {
  name: 'slack' | 'discord'
  /** Environment variables with which the bot finds it. */
  environment: Record<string, string>
  people: readonly string[]
  channels: readonly string[]
  troubles: readonly Trouble[]
  /** How many of them concern the connection. */
  shareOfConnection: number
  /** Moments at which the bot can be killed. */
  moments: readonly Moment[]
  /** Resolves with the message's id and place. Throws if it can't be posted there. */
  say(saying: Saying): { id: string; place: Place }
  /** Whether people can write there. */
  isOpen(place: Place): boolean
  edit(user: string, message: string, text: string): void
  remove(user: string, message: string): void
  /** Stops the bot there in one of the ways people have. False if there is none at the moment. */
  stop(user: string, place: Place, message: string, random: Random): Promise<boolean>
  /** Oldest first. */
  see(place: Place): Seen[]
  /** Everything the bot has posted publicly, in any place. */
  everything(): { place: Place; seen: Seen }[]
  /** `again`: the same click twice at once. `late`: on an earlier version of the message. */
  click(user: string, message: string, button: string, how?: 'again' | 'late'): Promise<Clicked>
  /** Opens a form with a click, and submits this text. */
  write(user: string, message: string, button: string, words: string): Promise<Clicked>
  /** The message that the bot knows by this id, which may be that of a file in it. */
  messageOf(id: string): string
  /** The person whose direct messages these are. */
  aloneIn(place: Place): string | undefined
  /** The id by which the bot knows somebody. */
  idOf(user: string): string
  /** Whether it has happened since this time (ms since 1970). */
  happened(what: Moment, since: number): boolean
  /** Makes everything work again, and delivers what was missed. */
  calm(): Promise<void>
  /** Leftovers other than messages, such as a thread still marked as busy. */
  leftovers(place: Place): string[]
  /** Limits and formats that the bot broke. */
  violations: string[]
  /** What the bot has asked of it, for whoever looks into a fault. */
  calls(): unknown[]
  /** How many calls have written something so far; while it stays the same, nothing happens. */
  writes(): number
  close(): Promise<void>
}
