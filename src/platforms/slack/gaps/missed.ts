import type { SlackMessage } from '../api/payload.ts'
import { msOf } from '../directory/thread-refs.ts'
import type { Hearing } from '../heard/hearing.ts'
import type { Cursor } from './cursor.ts'

interface MissedDeps {
  hearing: Hearing
  cursor: Cursor
  /** A younger message may still arrive by itself, ms. */
  lateMs: number
}

/** Hears what is found in histories, and tells whether Slack should have sent it. */
export class Missed {
  readonly #deps: MissedDeps
  /** What was found so early that it might still have come by itself, with its channels. */
  readonly #young = new Map<SlackMessage, string>()

  constructor(deps: MissedDeps) {
    this.#deps = deps
  }

  /** In the order in which it was said; resolves with whether some of it had been missed when the search began. */
  async hear(channel: string, found: SlackMessage[], startedAt: number): Promise<boolean> {
    const { hearing, cursor, lateMs } = this.#deps
    const isLate = ({ ts }: SlackMessage) => msOf(ts) < startedAt - lateMs
    let missed = false
    for (const message of found.toSorted((a, b) => Number(a.ts) - Number(b.ts))) {
      const isNew = await hearing.hear(message, channel, 'found')
      // Slack no longer sends what was said in a gap.
      const isToCome = !cursor.isHeld || msOf(message.ts) >= startedAt
      if (isNew && !isLate(message) && isToCome) this.#young.set(message, channel)
      missed ||= isNew && isLate(message)
    }
    for (const [message, where] of this.#young) {
      if (!isLate(message)) continue
      this.#young.delete(message)
      missed ||= !hearing.wasTold(message, where)
    }
    return missed
  }
}
