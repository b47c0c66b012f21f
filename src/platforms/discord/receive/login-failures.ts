import { DiscordjsError, DiscordjsErrorCodes, GatewayCloseCodes } from 'discord.js'
import { Failure } from '../../../kit/failure.ts'
import { discordWords } from '../words/words.ts'

const portal = 'https://discord.com/developers/applications'

/** What only the operator can fix: trying again wouldn't help. Undefined for everything else. */
export function refusedLogin(thrown: unknown, closeCode: number | undefined): Failure | undefined {
  const options = thrown === undefined ? undefined : { cause: thrown }
  const invalid = thrown instanceof DiscordjsError && thrown.code === DiscordjsErrorCodes.TokenInvalid
  if (invalid || closeCode === GatewayCloseCodes.AuthenticationFailed) {
    const remedy = discordWords.loginTokenRemedy({ portal })
    return new Failure('discord_token', discordWords.tokenRefused(), remedy, options)
  }
  if (closeCode === GatewayCloseCodes.DisallowedIntents) {
    const remedy = `Switch on "Message Content Intent" under "Bot" of your application at ${portal}.`
    return new Failure('discord_intents', discordWords.readingForbidden(), remedy, options)
  }
  if (closeCode === GatewayCloseCodes.InvalidIntents || closeCode === GatewayCloseCodes.InvalidAPIVersion) {
    const remedy = 'Update Bobbin: Discord has changed how bots connect.'
    return new Failure('discord_version', discordWords.connectionOutdated(), remedy, options)
  }
  return undefined
}
