import { createHmac } from 'node:crypto'
import type { Envelope, Receipt, Transport } from './courier.ts'
import { seconds } from './ids.ts'
import type { Json } from './json.ts'
import type { Misbehaviour } from './misbehave.ts'

const formed = (fields: Json) =>
  new URLSearchParams(Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)])).toString()

function bodyOf({ type, payload }: Envelope): { body: string; contentType: string } {
  if (type === 'events_api') return { body: JSON.stringify(payload), contentType: 'application/json' }
  const contentType = 'application/x-www-form-urlencoded'
  if (type === 'slash_commands') return { body: formed(payload), contentType }
  return { body: formed({ payload: JSON.stringify(payload) }), contentType }
}

/** The answer of an interaction: JSON, or the text of a command's answer. */
function answerOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return text
    throw thrown
  }
}

/** Signed requests to the app's own server. */
export class RequestUrl implements Transport {
  readonly #url: string
  readonly #secret: string
  readonly #misbehave: Misbehaviour

  constructor(url: string, secret: string, misbehave: Misbehaviour) {
    this.#url = url
    this.#secret = secret
    this.#misbehave = misbehave
  }

  async send(envelope: Envelope, waitMs: number): Promise<Receipt> {
    const { body, contentType } = bodyOf(envelope)
    const retry = envelope.attempt > 0
    try {
      const response = await this.#post(body, waitMs, {
        'content-type': contentType,
        ...(retry && { 'x-slack-retry-num': `${envelope.attempt}`, 'x-slack-retry-reason': envelope.reason }),
      })
      const text = await response.text()
      if (response.ok && !this.#misbehave.dropsBeforeAck()) return { kind: 'acked', answer: answerOf(text) }
      return { kind: 'unacked', reason: response.ok ? 'timeout' : 'http_error' }
    } catch (thrown) {
      const late = thrown instanceof DOMException && thrown.name === 'TimeoutError'
      return { kind: 'unacked', reason: late ? 'timeout' : 'http_error' }
    }
  }

  /** What Slack does when a URL is entered: true if the challenge came back. */
  async verify(): Promise<boolean> {
    const body = JSON.stringify({ token: 'verification-token', challenge: 'a-challenge', type: 'url_verification' })
    const response = await this.#post(body, 3_000, { 'content-type': 'application/json' })
    return response.ok && (await response.text()).includes('a-challenge')
  }

  #post(body: string, waitMs: number, headers: Record<string, string>) {
    const time = `${seconds()}`
    const signature = createHmac('sha256', this.#secret).update(`v0:${time}:${body}`).digest('hex')
    return fetch(this.#url, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
      headers: {
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        accept: '*/*',
        'x-slack-request-timestamp': time,
        'x-slack-signature': `v0=${signature}`,
        ...headers,
      },
    })
  }
}
