import { z } from 'zod'
import type { BotThere } from '../domain/finding.ts'
import { nearUrl } from '../kit/net/near-url.ts'
import { type Address, answerOf } from './address.ts'
import { botsOn, type DataPlace } from './data.ts'

const readiness = z.object({ connected: z.array(z.string()) })

/** What is known of the bot that runs on this data, for each platform by its name. */
export async function runningBot(place: DataPlace, address: Address): Promise<(platform: string) => BotThere> {
  const bots = await botsOn(place)
  if (bots.length === 0) return () => 'none'
  const url = bots.find((bot) => bot.url !== undefined)?.url ?? nearUrl(address)
  const { data } = readiness.safeParse(await answerOf(url, '/readyz'))
  if (data === undefined) return () => 'unknown'
  // Of several, another one may be connected.
  const otherwise = bots.length === 1 ? 'apart' : 'unknown'
  return (platform) => (data.connected.includes(platform) ? 'connected' : otherwise)
}
