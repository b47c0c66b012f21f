import type { Complaint, Config, DiscordAccount, SlackAccount } from './config.ts'
import { type Environment, inEnvironment, isHttpUrl } from './environment.ts'
import { configWords } from './words.ts'

/** The accounts of chat platforms, from the environment only: tokens don't belong in files that are shared. */
export function readAccounts(
  environment: Environment,
  slack: { http_host: string; http_port: number },
  complaints: Complaint[],
): Pick<Config, 'slack' | 'discord'> {
  return {
    slack: readSlack(environment, { host: slack.http_host, port: slack.http_port }, complaints),
    discord: readDiscord(environment, complaints),
  }
}

function readSlack(
  environment: Environment,
  http: { host: string; port: number },
  complaints: Complaint[],
): SlackAccount | undefined {
  const botToken = environment.SLACK_BOT_TOKEN?.trim()
  const appToken = environment.SLACK_APP_TOKEN?.trim() || undefined
  const signingSecret = environment.SLACK_SIGNING_SECRET?.trim() || undefined
  if (!botToken && !appToken && !signingSecret) return undefined
  const complain = (message: string, remedy: string) => void complaints.push(inEnvironment(message, remedy))
  if (!botToken) {
    complain(configWords.noBotToken(), configWords.botTokenRemedy())
  } else if (!botToken.startsWith('xoxb-')) {
    complain(configWords.botTokenOfOtherKind(), 'Copy the "Bot User OAuth Token" of your Slack app.')
  }
  if (appToken !== undefined && !appToken.startsWith('xapp-')) {
    const remedy = configWords.appTokenRemedy()
    complain(configWords.appTokenOfOtherKind(), remedy)
  }
  if (appToken === undefined && signingSecret === undefined) {
    const remedy = configWords.intakeMissingRemedy()
    complain(configWords.intakeMissing(), remedy)
  }
  const apiUrl = readUrl('SLACK_API_URL', environment, complaints)
  const needsHttp = appToken === undefined
  return { botToken: botToken ?? '', appToken, signingSecret, apiUrl, http: needsHttp ? http : undefined }
}

function readDiscord(environment: Environment, complaints: Complaint[]): DiscordAccount | undefined {
  const token = environment.DISCORD_TOKEN?.trim()
  if (!token) return undefined
  return { token: token.replace(/^Bot /, ''), apiUrl: readUrl('DISCORD_API_URL', environment, complaints) }
}

function readUrl(name: string, environment: Environment, complaints: Complaint[]): string | undefined {
  const text = environment[name]?.trim()
  if (!text) return undefined
  if (!isHttpUrl(text)) complaints.push(inEnvironment(configWords.notHttpUrl({ name }), configWords.httpUrlRemedy()))
  return text
}
