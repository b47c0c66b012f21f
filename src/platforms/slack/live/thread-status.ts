import type { LiveOptions } from '../../platform.ts'
import type { SlackThread } from '../directory/thread-refs.ts'
import type { SessionStatus } from '../pages/page.ts'
import type { SessionStatuses } from './session-status.ts'

export interface Ending {
  /** What to tell Slack with the message; undefined if it knows. */
  toLeave(): SessionStatus | undefined
  /** The message has told Slack. */
  told(status: SessionStatus): void
  /** Whether it has or not: nothing is under way any more. */
  rest(): void
}

/** What Slack shows in a turn's thread beside its message: that something is under way, with a Stop button. */
export class ThreadStatus {
  readonly #statuses: SessionStatuses
  readonly #place: SlackThread
  readonly #options: Pick<LiveOptions, 'reader' | 'title' | 'change'>

  constructor(
    statuses: SessionStatuses,
    place: SlackThread,
    options: Pick<LiveOptions, 'reader' | 'title' | 'change'>,
  ) {
    this.#statuses = statuses
    this.#place = place
    this.#options = options
  }

  /** Slack could be told now that something is under way. */
  get isDue(): boolean {
    return this.#statuses.isDue(this.#place)
  }

  /** Something is under way. */
  show(): void {
    if (this.isDue) void this.#statuses.setProcessing(this.#place, this.#options)
  }

  /** Resolves when no call about it is under way. */
  quiet(): Promise<void> {
    return this.#statuses.quiet(this.#place)
  }

  /** What the message's end does to it. A turn that begins there later is left alone. */
  ending(wanted: SessionStatus): Ending {
    const statuses = this.#statuses
    const place = this.#place
    const before = statuses.workingAt(place)
    return {
      toLeave: () => statuses.toLeave(place, wanted),
      told: (status) => statuses.ended(place, status, before),
      rest() {
        if (before !== undefined && statuses.workingAt(place) === before) void statuses.set(place, wanted)
      },
    }
  }
}
