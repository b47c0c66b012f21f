import type { Log } from '../../../kit/log.ts'
import type { Health } from '../../platform.ts'
import { slackWords } from '../words/words.ts'
import { tokenTrouble } from './errors.ts'

/** Whether Slack accepts the bot token, as of the latest call. */
export class Standing {
  readonly #log: Log
  readonly #onAccepted: () => void
  #trouble: { why: string; remedy: string } | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(log: Log, onAccepted: () => void) {
    this.#log = log
    this.#onAccepted = onAccepted
  }

  /** Checks from time to time: a bot that nobody talks to wouldn't notice. */
  watch(look: () => Promise<unknown>, everyMs: number): void {
    let isLooking = false
    this.#timer = setInterval(async () => {
      if (isLooking) return
      isLooking = true
      await look().catch(() => {})
      isLooking = false
    }, everyMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  accepted(): void {
    if (this.#trouble === undefined) return
    this.#trouble = undefined
    this.#log.info({ platform: 'slack' }, slackWords.botTokenWorksAgain())
    this.#onAccepted()
  }

  refused(thrown: unknown): void {
    const trouble = tokenTrouble(thrown)
    if (trouble === undefined || trouble.why === this.#trouble?.why) return
    this.#trouble = trouble
    this.#log.error({ platform: 'slack', reason: trouble.why, remedy: trouble.remedy }, slackWords.botTokenNowRefused())
  }

  /** Undefined if all is well. */
  health(): Health | undefined {
    return this.#trouble && { ok: false, detail: this.#trouble.why, remedy: `${this.#trouble.remedy}.` }
  }
}
