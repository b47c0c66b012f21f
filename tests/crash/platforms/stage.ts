import type { Moment } from '../plan.ts'
import type { Random } from '../random.ts'

/** Where something is said, as the bot's rows name it: a thread's first message stands for the thread. */
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
  /** Undefined: it begins a thread, in this channel or alone with the bot. */
  place: Place | undefined
  channel: string | 'direct'
  /** It names the bot. */
  named: boolean
  uploads: Upload[]
  /** How often the platform delivers it. */
  copies: number
  /** Nobody is told of it: it only stands in the history. */
  silent: boolean
}

/** A message as people see it. */
export interface Seen {
  id: string
  /** The bot's. */
  own: boolean
  text: string
  files: Upload[]
  /** What can be clicked. */
  buttons: string[]
  /** It says that something goes on. */
  working: boolean
  /** The key that the bot gave it where people do not see it, if the platform tells. */
  key: string | undefined
}

/** What a click came to: the bot has said that it heard it, or not; or there was nothing to click any more. */
export type Clicked = 'heard' | 'unheard' | 'gone'

/** Something that goes wrong by itself, and is over in time. */
export interface Trouble {
  name: string
  of: 'calls' | 'connection'
  begin(random: Random): void | Promise<void>
}

/** A chat platform of our own, with its people. */
export interface Stage {
  name: 'slack' | 'discord'
  /** By which the bot finds it. */
  environment: Record<string, string>
  people: readonly string[]
  channels: readonly string[]
  troubles: readonly Trouble[]
  /** How many of them are the connection's. */
  shareOfConnection: number
  /** What the bot can be killed at. */
  moments: readonly Moment[]
  /** Resolves with the message's id and where it stands. Throws when that cannot be said there. */
  say(saying: Saying): { id: string; place: Place }
  /** People can write there. */
  isOpen(place: Place): boolean
  edit(user: string, message: string, text: string): void
  remove(user: string, message: string): void
  /** Ends what the bot does there, in one of the ways that people have. False when there is none at the moment. */
  stop(user: string, place: Place, message: string, random: Random): Promise<boolean>
  /** Oldest first. */
  see(place: Place): Seen[]
  /** All that the bot has said to everybody, wherever it stands. */
  everything(): { place: Place; seen: Seen }[]
  /** `again`: the same click twice at once. `late`: on what stood there before. */
  click(user: string, message: string, button: string, how?: 'again' | 'late'): Promise<Clicked>
  /** Opens a form by a click, and sends it with these words. */
  write(user: string, message: string, button: string, words: string): Promise<Clicked>
  /** The message that the bot knows by this id: it may know one by a file that came in it. */
  messageOf(id: string): string
  /** Who is alone with the bot there. */
  aloneIn(place: Place): string | undefined
  /** The id by which the bot knows somebody. */
  idOf(user: string): string
  /** Whether it has happened since then (ms since 1970). */
  happened(what: Moment, since: number): boolean
  /** Everything works again, and nothing that was missed stays so. */
  calm(): Promise<void>
  /** What the bot has left behind that is no message, such as a thread that is marked as busy. */
  leftovers(place: Place): string[]
  /** Broken limits and shapes. */
  violations: string[]
  /** How many calls wrote something so far: where it stays the same, nothing happens. */
  writes(): number
  close(): Promise<void>
}
