import type { TurnView } from '../../../domain/turn-view.ts'
import type { LiveReply, ShowSettings } from '../../platform.ts'
import { reasonIn } from '../api/errors.ts'
import type { Workspace } from '../directory/workspace.ts'
import { asPage } from '../pages/page.ts'
import type { LiveMessage } from './live-message.ts'

/** Shows views at the right times: the latest one, one at a time. */
export class SlackLiveReply implements LiveReply {
  readonly #slack: Workspace
  readonly #message: LiveMessage
  readonly #settings: ShowSettings
  readonly #onEnd: () => void
  #view: TurnView | undefined
  /** There is something that is not shown yet. */
  #dirty = false
  #ended = false
  #nextAt: number | undefined
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(slack: Workspace, message: LiveMessage, settings: ShowSettings, onEnd: () => void) {
    this.#slack = slack
    this.#message = message
    this.#settings = settings
    this.#onEnd = onEnd
  }

  get begun(): boolean {
    return this.#message.begun
  }

  show(view: TurnView): void {
    if (this.#ended) return
    this.#nextAt ??= Date.now() + this.#settings.firstMs
    this.#view = view
    this.#dirty = true
    this.#plan()
  }

  async finish(page: unknown): Promise<string> {
    await this.#end()
    return this.#message.become(asPage(page))
  }

  async leave(): Promise<void> {
    await this.#end()
    await this.#message.leave()
  }

  /** The process ends, the turn does not: what is shown stays, and no stream is left open. */
  async interrupt(): Promise<void> {
    await this.#end()
    await this.#message.interrupt()
  }

  /** Nothing is shown any more; resolves when nothing is under way. */
  async #end(): Promise<void> {
    this.#ended = true
    this.#onEnd()
    clearTimeout(this.#timer)
    await Promise.all([this.#message.letGo(), this.#work])
    // What was at work may have begun something more.
    await this.#message.letGo()
  }

  #plan(): void {
    if (this.#ended || this.#timer !== undefined || !this.#dirty) return
    const waitMs = Math.max(0, (this.#nextAt ?? 0) - Date.now())
    this.#timer = setTimeout(() => {
      this.#work = this.#work.then(() => this.#tick())
    }, waitMs)
  }

  /** Never throws: what cannot be shown is not. */
  async #tick(): Promise<void> {
    const view = this.#view
    if (this.#ended || view === undefined) return
    this.#dirty = false
    this.#nextAt = Date.now() + this.#settings.everyMs
    try {
      const done = await this.#message.advance(view)
      if (done === 'over') {
        this.#ended = true
        this.#message.rest()
      }
      if (done === 'later') this.#dirty = true
    } catch (thrown) {
      this.#slack.log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'progress was not shown')
    }
    this.#timer = undefined
    this.#plan()
  }
}
