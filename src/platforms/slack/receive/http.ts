import type { Server } from 'node:http'
import type { App } from '@slack/bolt'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import type { Health } from '../../platform.ts'
import { HTTPReceiver } from '../api/bolt-parts.ts'
import type { SlackLogger } from '../api/logger.ts'
import { slackWords } from '../words/words.ts'
import type { Taker } from './acknowledge.ts'
import type { Intake } from './intake.ts'

export interface HttpOptions {
  signingSecret: string
  host: string
  port: number
  logger: SlackLogger
  onConnected(): void
}

/** Slack's requests, at /slack/events: signed, and answered once what they brought is stored. */
export class HttpIntake implements Intake {
  readonly #receiver: InstanceType<typeof HTTPReceiver>
  readonly #options: HttpOptions
  #server: Server | undefined

  constructor(options: HttpOptions, taker: Taker) {
    this.#options = options
    const { signingSecret, logger } = options
    this.#receiver = new HTTPReceiver({ signingSecret, logger })
    // It only ever uses this one method of an app.
    this.#receiver.init(taker as App)
  }

  async start(): Promise<void> {
    const { host, port, onConnected } = this.#options
    try {
      this.#server = await this.#receiver.start({ host, port })
      onConnected()
    } catch (thrown) {
      throw new Failure(
        'slack_port',
        slackWords.portNotOpened({ host, port, reason: reasonOf(thrown) }),
        slackWords.portNotOpenedRemedy(),
        { cause: thrown },
      )
    }
  }

  async stop(): Promise<void> {
    if (this.#server === undefined) return
    const closed = this.#receiver.stop()
    this.#server.closeAllConnections()
    this.#server = undefined
    await closed
  }

  health(): Health {
    return this.#server === undefined
      ? { ok: false, detail: 'not listening for Slack’s requests' }
      : { ok: true, detail: 'listening for Slack’s requests' }
  }
}
