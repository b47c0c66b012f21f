import type { Ledger, Sent } from '../ledger.ts'
import type { Place } from './stage.ts'

/** A message as whoever said it knows it. */
export interface Told extends Sent {
  message: string
  place: Place
  /** Taken away again: it may be answered or not. */
  removed: boolean
  edited: boolean
}

/** What somebody wanted of a card. */
export interface Pressed {
  card: string
  place: Place
  token: string
  user: string
  /** `approve`, `deny`, an option's label, or words. */
  answer: string
  /** The bot has said that it heard it. */
  heard: boolean
}

/** What the people of a platform know: the check holds against it what they see, and the bot's rows. */
export class Account {
  /** With all messages as `sent`, and the faults that are seen at once. */
  readonly ledger: Ledger
  /** By token. */
  readonly told = new Map<string, Told>()
  readonly pressed: Pressed[] = []
  /** Said among people, and not to the bot. */
  readonly chatter: { text: string; message: string; place: Place }[] = []
  /** Threads in which somebody wanted a turn to end. */
  readonly stopped: Place[] = []
  /** How often what went wrong. */
  readonly troubles = new Map<string, number>()

  constructor(ledger: Ledger) {
    this.ledger = ledger
  }

  tell(told: Told): void {
    this.told.set(told.token, told)
    this.ledger.sent.set(told.token, told)
  }

  trouble(name: string): void {
    this.troubles.set(name, (this.troubles.get(name) ?? 0) + 1)
  }
}

export const placeKey = ({ project, thread }: Place): string => `${project} ${thread}`
