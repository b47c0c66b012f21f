import type { LiveOptions } from '../../platform.ts'
import type { SlackThread } from '../directory/thread-refs.ts'
import type { SessionStatus } from '../pages/page.ts'
import type { SessionStatuses } from './session-status.ts'

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

  /** What to tell Slack as the message ends, and what to do when it was told; undefined if it knows. */
  toLeave(wanted: SessionStatus): { status: SessionStatus; told(): void } | undefined {
    const status = this.#statuses.toLeave(this.#place, wanted)
    const before = this.#statuses.whoIsBusy(this.#place)
    return status && { status, told: () => this.#statuses.ended(this.#place, status, before) }
  }

  rest(status: SessionStatus): void {
    if (this.#statuses.isBusy(this.#place)) void this.#statuses.set(this.#place, status)
  }
}
