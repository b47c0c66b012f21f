import type { SessionId } from '../domain/ids.ts'
import type { LivePart } from './live-part.ts'

/** What a bot keeps for all its threads. */
export type Shared = 'skills' | 'mcp' | 'agents'

/** What processes on one database tell each other, by kind. Any of it may be lost. */
export interface News {
  /** Something of these sessions was stored. */
  touched: SessionId[]
  /** Something was put into the outbox. */
  outbox: null
  jobs: null
  /** What all threads share has changed. */
  changed: Shared
  /** A process has taken its lock, for the first time or again. */
  node: null
  /** A session was woken by a process that doesn't run it. */
  wake: null
  /** Whoever runs the session ends that run. */
  interrupt: SessionId
  live: LivePart
}

type Hear = (kind: keyof News, what: never) => void

/** Connects the processes on one database. */
export interface Wire {
  tell<Kind extends keyof News>(kind: Kind, what: News[Kind]): void
  /** What others told. */
  hear<Kind extends keyof News>(kind: Kind, hear: (what: News[Kind]) => void): void
}

/** Passes on what is heard. */
export class Ears {
  readonly #ears = new Map<keyof News, Hear>()

  hear<Kind extends keyof News>(kind: Kind, hear: (what: News[Kind]) => void): void {
    this.#ears.set(kind, (_, what) => hear(what))
  }

  heard(kind: keyof News, what: unknown): void {
    this.#ears.get(kind)?.(kind, what as never)
  }
}
