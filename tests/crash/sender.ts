import { setTimeout as sleep } from 'node:timers/promises'
import { Client, readEvents } from '../support/client.ts'
import type { Keeper } from './keeper.ts'
import type { Ledger, Sent } from './ledger.ts'

export interface Sending {
  token: string
  user: string
  text: string
  conversation: string | undefined
  upload: { name: string; content: string } | undefined
  twice: boolean
  leaves: boolean
}

/** Sends a message with its key until the bot acknowledges it. Resolves with its conversation. */
export async function send(message: Sending, keeper: Keeper, ledger: Ledger): Promise<string> {
  const { token, user, text, upload, conversation } = message
  const uploads = upload === undefined ? [] : [upload]
  const sent: Sent = { token, user, text, uploads, conversation, sentAt: performance.now(), acknowledgedAt: undefined }
  ledger.sent.set(token, sent)
  for (;;) {
    const { url, gone } = await keeper.home()
    const moved = aborted(gone)
    const tries = Array.from({ length: message.twice ? 2 : 1 }, () => tryOnce(url, message, sent, ledger))
    await Promise.race([Promise.any(tries).catch(() => sleep(50)), moved])
    if (sent.acknowledgedAt !== undefined && sent.conversation !== undefined) return sent.conversation
  }
}

/** Resolves with the first event, and keeps reading in the background. */
async function tryOnce(url: string, message: Sending, sent: Sent, ledger: Ledger): Promise<void> {
  const { text, token, user, conversation, upload, leaves } = message
  const files = upload && { [upload.name]: upload.content }
  const response = await new Client(url).send(text, { conversation, user, key: token, files })
  if (!response.ok) {
    const answer = await response.text()
    const isAway = ledger.hasServer && response.status === 503
    if (!isAway) ledger.fault('refused', `${token}: ${response.status} ${answer.slice(0, 200)}`)
    throw new Error(answer)
  }
  const events = readEvents(response)
  const { value: first } = await events.next()
  if (first?.event_id === undefined) throw new Error('the stream was empty')
  ledger.acknowledge(sent, first)
  ledger.saw(first)
  if (leaves) await response.body?.cancel().catch(() => {})
  else void readOn(events, first.event_id, ledger)
}

async function readOn(events: ReturnType<typeof readEvents>, last: number, ledger: Ledger): Promise<void> {
  try {
    for await (const event of events) {
      if (event.event_id === undefined) continue
      if (event.event_id !== ++last)
        ledger.fault('stream', `${event.conversation_id}: ${event.event_id} is not ${last}`)
      ledger.saw(event)
    }
  } catch {
    // The bot was killed.
  }
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
