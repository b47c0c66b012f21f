import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../support/client.ts'
import { Follower } from './follower.ts'
import type { Keeper } from './keeper.ts'
import type { Ledger } from './ledger.ts'
import { planConversation } from './plan.ts'
import { send } from './sender.ts'

export interface Load {
  seed: number
  /** How many conversations run at once; when one is over, the next begins. */
  atOnce: number
  keeper: Keeper
  ledger: Ledger
  /** After this, no new message is sent. */
  ending: AbortSignal
}

/** With more, a message could leave the model's window before it is answered. */
const mostOpen = 2

/** People who talk. Resolves when every message they started to send was acknowledged. */
export async function talk(load: Load): Promise<void> {
  let next = 0
  const lane = async () => {
    while (!load.ending.aborted) await converse(next++, load)
  }
  await Promise.all(Array.from({ length: load.atOnce }, lane))
}

async function converse(number: number, { seed, keeper, ledger, ending }: Load): Promise<void> {
  let conversation: string | undefined
  let follower: Follower | undefined
  const leave = () => follower?.leave()
  ending.addEventListener('abort', leave)
  for (const message of planConversation(seed, number)) {
    await sleep(message.pauseMs)
    await follower?.until(message.joins ? mostOpen : 0)
    if (ending.aborted) break
    conversation = await send({ ...message, conversation }, keeper, ledger)
    follower ??= new Follower(conversation, keeper, ledger)
    follower.sent(message.token)
    if (message.stopAfterMs === undefined) continue
    await sleep(message.stopAfterMs)
    await stop(conversation, message.user, keeper, ledger)
  }
  await follower?.until(0)
  ending.removeEventListener('abort', leave)
  leave()
}

/** Presses Stop until the bot acknowledges it. */
async function stop(conversation: string, user: string, keeper: Keeper, ledger: Ledger): Promise<void> {
  ledger.stops.set(conversation, ledger.stops.get(conversation) ?? 0)
  for (;;) {
    const { url, gone } = await keeper.home()
    const client = new Client(url)
    try {
      const pressed = client.post(`/agent/conversations/${conversation}/stop`, { user_id: user })
      const response = await Promise.race([pressed, rejection(gone)])
      if (!response.ok) throw new Error(`${response.status}`)
      const { stopped } = (await response.json()) as { stopped: boolean }
      if (stopped) ledger.stops.set(conversation, (ledger.stops.get(conversation) ?? 0) + 1)
      return
    } catch {
      await sleep(50)
    }
  }
}

export const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
