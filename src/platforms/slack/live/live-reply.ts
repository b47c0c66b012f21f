import type { TurnView } from '../../../domain/turn-view.ts'
import { PacedViews } from '../../live/paced-views.ts'
import type { LiveReply, ShowSettings } from '../../platform.ts'
import { reasonIn } from '../api/errors.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import { asPage } from '../pages/page.ts'
import type { LiveMessage } from './live-message.ts'

/** One turn's message, which shows views as they come and ends as a page. */
export class SlackLiveReply implements LiveReply {
  readonly #message: LiveMessage
  readonly #views: PacedViews
  readonly #onEnd: () => void

  constructor({ log }: SlackWorkspace, message: LiveMessage, { firstMs, everyMs }: ShowSettings, onEnd: () => void) {
    this.#message = message
    this.#onEnd = onEnd
    this.#views = new PacedViews({
      firstMs,
      everyMs,
      async show(view) {
        const shown = await message.advance(view)
        if (shown === 'over') {
          message.rest()
          onEnd()
        }
        return shown
      },
      failed: (thrown) => log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'progress was not shown'),
    })
  }

  get begun(): boolean {
    return this.#message.begun
  }

  show(view: TurnView): void {
    this.#views.show(view)
  }

  async finish(page: unknown): Promise<string> {
    await this.#end()
    return this.#message.become(asPage(page))
  }

  async leave(): Promise<void> {
    await this.#end()
    await this.#message.leave()
  }

  /** The process ends but the turn doesn't: what is shown stays, and no stream is left open. */
  async interrupt(): Promise<void> {
    await this.#end()
    await this.#message.interrupt()
  }

  /** Nothing more is shown; resolves when nothing is under way. */
  async #end(): Promise<void> {
    this.#views.end()
    this.#onEnd()
    await Promise.all([this.#message.letGo(), this.#views.idle()])
    // What was under way may have begun something more.
    await this.#message.letGo()
  }
}
