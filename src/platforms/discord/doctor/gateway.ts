import { type APIGatewayBotInfo, type REST, Routes } from 'discord.js'
import { broken, type Finding, fine, mind } from '../../../domain/finding.ts'

/** Below this, a bot that keeps failing to connect would use up the rest within hours. */
const fewStarts = 100

const inHours = (ms: number) => `${Math.ceil(ms / 3_600_000)} h`

/** How often the bot may still connect today: if it uses that up, Discord resets its token. */
export async function gatewayFinding(rest: REST): Promise<Finding> {
  const { session_start_limit } = (await rest.get(Routes.gatewayBot())) as APIGatewayBotInfo
  const { remaining, total, reset_after } = session_start_limit
  const fact = `The bot may connect ${remaining} more times of ${total} within ${inHours(reset_after)}.`
  if (remaining === 0) return broken(fact, 'Stop whatever keeps connecting with this token, and wait that long.')
  if (remaining < fewStarts) return mind(fact, 'Check whether something keeps connecting with this token.')
  return fine(fact)
}
