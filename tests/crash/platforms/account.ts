import type { Ledger, Sent } from '../ledger.ts'
import type { Place } from './stage.ts'

/** A message as its author knows it. */
export interface Told extends Sent {
  message: string
  place: Place
  /** Deleted again, so it may be answered or not. */
  removed: boolean
  edited: boolean
}

/** What somebody chose on a card. */
export interface Pressed {
  card: string
  place: Place
  token: string
  user: string
  /** `approve`, `deny`, an option's label, or words. */
  answer: string
  /** The bot has acknowledged it. */
  heard: boolean
}

/** What a platform's people know; the check compares it with what they see and with the bot's rows. */
export class Account {
  /** Holds all messages as `sent`, and faults that are noticed right away. */
  readonly ledger: Ledger
  /** By token. */
  readonly told = new Map<string, Told>()
  readonly pressed: Pressed[] = []
  /** Messages among people, not for the bot. */
  readonly chatter: { text: string; message: string; place: Place }[] = []
  /** Threads in which somebody stopped a turn. */
  readonly stopped: Place[] = []
  /** How often each problem occurred. */
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
