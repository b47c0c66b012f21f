import type { Server } from 'node:http'
import type { App } from '@slack/bolt'
import type { Clock } from '../../../kit/clock.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import type { Health } from '../../platform.ts'
import type { HTTPReceiver } from '../api/bolt-parts.ts'
import { reasonIn } from '../api/errors.ts'
import { slackWords } from '../words/words.ts'
import type { Taker } from './acknowledge.ts'
import type { Answer } from './echo.ts'
import type { Intake } from './intake.ts'
import { Quiet, type QuietTimes, type Where } from './quiet.ts'

export interface HttpOptions extends QuietTimes {
  receiver: InstanceType<typeof HTTPReceiver>
  host: string
  port: number
  log: Log
  clock: Clock
  /** How often it is checked whether events still arrive, ms. */
  checkMs: number
  /** If this process did nothing for so long, ms, Slack may have given up what it sent meanwhile. */
  silentMs: number
  /** Events arrive, and something may have been missed before. */
  onConnected(): void
  /** Something may be missed from now on, or still, although nothing was found. */
  onLost(): void
  onStillLost(): void
  /** Finds out whether events still arrive, or something was missed. */
  onQuiet(where: Where): Promise<Answer>
}

/** Slack's requests, at /slack/events: signed, and answered once what they brought is stored. */
export class HttpIntake implements Intake {
  readonly #receiver: HttpOptions['receiver']
  readonly #options: HttpOptions
  readonly #quiet: Quiet
  #server: Server | undefined
  #checks: NodeJS.Timeout | undefined
  /** When this process was last known to run, ms since 1970. */
  #aliveAt = 0
  /** No events arrive, as far as is known. */
  #isLost = false
  /** Slack sends events here, not only to a copy of the bot with a database of its own, which answers them itself. */
  #isReached = false

  constructor(options: HttpOptions, taker: Taker) {
    this.#options = options
    this.#quiet = new Quiet(options)
    this.#receiver = options.receiver
    const listening: Taker = {
      processEvent: (event) => {
        // Clicks and commands still arrive if Slack has switched off the events.
        if (event.body.type === 'event_callback') this.#heard()
        return taker.processEvent(event)
      },
    }
    // It only ever uses this one method of an app.
    this.#receiver.init(listening as App)
  }

  async start(): Promise<void> {
    const { host, port, clock, checkMs, onConnected } = this.#options
    this.#aliveAt = clock.now()
    try {
      this.#server = await this.#receiver.start({ host, port })
    } catch (thrown) {
      throw new Failure(
        'slack_port',
        slackWords.portNotOpened({ host, port, reason: reasonOf(thrown) }),
        slackWords.portNotOpenedRemedy(),
        { cause: thrown },
      )
    }
    this.#quiet.opened(this.#aliveAt)
    onConnected()
    this.#checks = setInterval(() => this.#check(), checkMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#checks)
    if (this.#server === undefined) return
    const closed = this.#receiver.stop()
    this.#server.closeAllConnections()
    this.#server = undefined
    await closed
  }

  health(): Health {
    if (this.#server === undefined) return { ok: false, detail: 'not listening for Slack’s requests' }
    if (!this.#isLost) return { ok: true, detail: 'listening for Slack’s requests' }
    if (!this.#isReached) return { ok: true, detail: slackWords.noRequestsYet() }
    return { ok: false, detail: slackWords.requestsMissing(), remedy: slackWords.requestsMissingRemedy(), waits: true }
  }

  #heard(): void {
    const now = this.#options.clock.now()
    this.#isReached = true
    if (this.#wasFrozen(now) || this.#isLost) this.#goOn(now)
    this.#quiet.heard(now)
  }

  #check(): void {
    const { clock, log, onQuiet } = this.#options
    const now = clock.now()
    if (this.#wasFrozen(now)) this.#goOn(now)
    const where = this.#quiet.due(now)
    if (where === undefined) return
    const { heardAt } = this.#quiet
    onQuiet(this.#isReached ? where : 'new').then(
      (answer) => this.#found(answer, this.#quiet.heardAt !== heardAt),
      (thrown) => log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'could not look for missed messages'),
    )
  }

  #found(answer: Answer, isHeard: boolean): void {
    this.#isReached ||= answer !== 'unknown'
    this.#isLost ||= !this.#isReached
    if (answer === 'missing' && !isHeard) this.#lose()
    else if (answer === 'missing' || (answer === 'heard' && this.#isLost)) this.#goOn(this.#options.clock.now())
    else if (this.#isLost && this.#isReached) this.#options.onStillLost()
  }

  #lose(): void {
    this.#options.onLost()
    if (this.#isLost) return
    this.#isLost = true
    const remedy = slackWords.requestsMissingRemedy()
    this.#options.log.warn({ platform: 'slack', reason: slackWords.requestsMissing(), remedy }, 'no events')
  }

  /** What was missed until now is read back before the cursor moves past it. */
  #goOn(now: number): void {
    this.#isLost = !this.#isReached
    if (this.#isLost) return
    this.#quiet.opened(now)
    this.#options.onConnected()
  }

  /** Such as a paused machine, or one that slept. */
  #wasFrozen(now: number): boolean {
    const idleMs = now - this.#aliveAt
    this.#aliveAt = now
    return idleMs >= this.#options.silentMs
  }
}
