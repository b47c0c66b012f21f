import { DiscordAPIError, RateLimitError } from 'discord.js'
import { broken, type Finding } from '../../../domain/finding.ts'
import { innermost } from '../../words/doctor-findings.ts'
import { discordWords } from '../words/words.ts'

export const portal = 'https://discord.com/developers/applications'

/** Why nothing more can be checked. */
export function refusal(thrown: unknown): Finding {
  if (thrown instanceof DiscordAPIError && thrown.status === 401) {
    return broken(discordWords.tokenUnknown(), discordWords.copyTokenRemedy({ portal }))
  }
  if (thrown instanceof RateLimitError) {
    return broken(discordWords.rateLimited(), discordWords.rateLimitedRemedy())
  }
  if (thrown instanceof DiscordAPIError) {
    return broken(
      discordWords.requestRefused({
        method: thrown.method,
        url: pathOf(thrown.url),
        message: thrown.message,
        code: thrown.code,
      }),
    )
  }
  return broken(discordWords.discordUnreachableBecause({ thrown: innermost(thrown) }), discordWords.unreachableRemedy())
}

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? 'a request'
