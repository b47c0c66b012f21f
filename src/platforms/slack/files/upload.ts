import { NotPosted } from '../../platform.ts'
import { slackWords } from '../words/words.ts'

const uploadTimeoutMs = 120_000
/** Too slow or too many requests: trying again may work. */
const passing = [408, 429]

/** Throws NotPosted if Slack doesn't accept it, anything else if it may be tried again. */
export async function putUpload(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const signal = AbortSignal.timeout(uploadTimeoutMs)
  const response = await fetch(url, { method: 'POST', body: bytes, redirect: 'error', signal })
  await response.body?.cancel()
  const { ok, status } = response
  if (!ok && status >= 400 && status < 500 && !passing.includes(status)) {
    throw new NotPosted('never', slackWords.uploadRefused({ status }))
  }
  if (!ok) throw new Error(`it was answered with ${status}`)
}
