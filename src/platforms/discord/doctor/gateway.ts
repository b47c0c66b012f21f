import { type APIGatewayBotInfo, type REST, Routes } from 'discord.js'
import { broken, type Finding, fine, mind } from '../../../domain/finding.ts'
import { discordWords } from '../words/words.ts'

/** Below this, a bot that keeps failing to connect would use up the rest within hours. */
const fewStarts = 100

const inHours = (ms: number) => `${Math.ceil(ms / 3_600_000)} h`

/** How often the bot may still connect today: if it uses that up, Discord resets its token. */
export async function gatewayFinding(rest: REST): Promise<Finding> {
  const { session_start_limit } = (await rest.get(Routes.gatewayBot())) as APIGatewayBotInfo
  const { remaining, total, reset_after } = session_start_limit
  const fact = discordWords.sessionsLeft({ remaining, total, reset_after: inHours(reset_after) })
  if (remaining === 0) return broken(fact, discordWords.noSessionsLeftRemedy())
  if (remaining < fewStarts) return mind(fact, discordWords.fewSessionsLeftRemedy())
  return fine(fact)
}
