import { DiscordAPIError, RateLimitError } from 'discord.js'
import { broken, type Finding } from '../../../domain/finding.ts'
import { innermost } from '../../words/doctor-findings.ts'
import { discordWords } from '../words/words.ts'

export const portal = 'https://discord.com/developers/applications'

/** Why nothing more can be checked. */
export function refusal(thrown: unknown): Finding {
  if (thrown instanceof DiscordAPIError && thrown.status === 401) {
    return broken(discordWords.discordDoesNotKnow(), discordWords.copyFromYourApplication({ portal }))
  }
  if (thrown instanceof RateLimitError) {
    return broken(discordWords.discordRateLimitingUs(), discordWords.tryAgainMinute())
  }
  if (thrown instanceof DiscordAPIError) {
    return broken(
      discordWords.discordRefused2({
        method: thrown.method,
        url: pathOf(thrown.url),
        message: thrown.message,
        code: thrown.code,
      }),
    )
  }
  return broken(
    discordWords.discordCantReached2({ thrown: innermost(thrown) }),
    discordWords.checkNetworkProxyDiscord(),
  )
}

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? 'a request'
