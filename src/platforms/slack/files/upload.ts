import { NotPosted } from '../../platform.ts'
import { slackWords } from '../words/words.ts'

/** The slowest connection that has enough time: the uplink of plain ADSL, 1 Mbit/s. */
const slowestBytesPerMs = 125
/** Too slow or too many requests: trying again may work. */
const passing = [408, 429]

export class TooSlow extends NotPosted {
  constructor(cause: unknown) {
    super('repairable', slackWords.uploadTooSlow(), { cause })
  }
}

/**
 * Throws NotPosted if Slack doesn't accept it, or it takes more than `extraMs` longer than a slow connection needs;
 * anything else if it may be tried again.
 */
export async function putUpload(url: string, bytes: Uint8Array<ArrayBuffer>, extraMs: number): Promise<void> {
  const signal = AbortSignal.timeout(Math.ceil(extraMs + bytes.byteLength / slowestBytesPerMs))
  const sent = fetch(url, { method: 'POST', body: bytes, redirect: 'error', signal })
  const response = await sent.catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown
    throw new TooSlow(thrown)
  })
  await response.body?.cancel()
  const { ok, status } = response
  if (!ok && status >= 400 && status < 500 && !passing.includes(status)) {
    throw new NotPosted('never', slackWords.uploadRefused({ status }))
  }
  if (!ok) throw new Error(`it was answered with ${status}`)
}
