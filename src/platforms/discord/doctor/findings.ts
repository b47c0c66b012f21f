import { DiscordAPIError, RateLimitError } from 'discord.js'
import { broken, type Finding } from '../../../domain/finding.ts'
import { innermost } from '../../doctor-findings.ts'

export const portal = 'https://discord.com/developers/applications'

/** Why nothing more can be checked. */
export function refusal(thrown: unknown): Finding {
  if (thrown instanceof DiscordAPIError && thrown.status === 401) {
    return broken(
      'Discord does not know the token (DISCORD_TOKEN).',
      `Copy it from ${portal}, your application, “Bot”, “Reset Token”: the token, not the client secret.`,
    )
  }
  if (thrown instanceof RateLimitError) {
    return broken('Discord is rate-limiting us.', 'Try again in a minute.')
  }
  if (thrown instanceof DiscordAPIError) {
    return broken(`Discord refused ${thrown.method} ${pathOf(thrown.url)}: ${thrown.message} (${thrown.code}).`)
  }
  return broken(
    `Discord can’t be reached: ${innermost(thrown)}.`,
    'Check the network, the proxy, and DISCORD_API_URL if you set it.',
  )
}

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? 'a request'
