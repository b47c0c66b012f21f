import { type APIApplication, type APIUser, ApplicationFlags, REST, Routes } from 'discord.js'
import { type BotThere, broken, type Finding, fine, mind } from '../../../domain/finding.ts'
import type { Clock } from '../../../kit/clock.ts'
import { apartFinding, clockFinding } from '../../words/doctor-findings.ts'
import { isForPeople } from '../interactions/command-list.ts'
import { discordWords } from '../words/words.ts'
import { commandFindings } from './commands.ts'
import { portal, refusal } from './findings.ts'
import { gatewayFinding } from './gateway.ts'
import { guildFindings } from './guilds.ts'
import { probeFindings } from './probe.ts'

export interface DiscordCheck {
  token: string
  apiUrl: string | undefined
  /** A channel where a message may be posted and deleted again. */
  probe: string | undefined
  bot: BotThere
  clock: Clock
  /** No list in `access` says who gets an answer. */
  everybody: boolean
}

const patienceMs = 10_000

/**
 * Everything about the connection to Discord that can be checked from here. Posts nothing, unless there is a channel to
 * probe.
 */
export async function* discordFindings({
  token,
  apiUrl,
  probe,
  bot,
  clock,
  everybody,
}: DiscordCheck): AsyncGenerator<Finding> {
  const rest = new REST({
    retries: 0,
    timeout: patienceMs,
    rejectOnRateLimit: () => true,
    ...(apiUrl !== undefined && { api: apiUrl.replace(/\/+$/, '') }),
  }).setToken(token)
  let date: string | null = null
  rest.on('response', (_, response) => {
    date = response.headers.get('date')
  })
  try {
    const application = (await rest.get(Routes.currentApplication())) as APIApplication
    const me = (await rest.get(Routes.user())) as APIUser
    yield fine(discordWords.tokenAccepted({ username: me.username, name: application.name }))
    yield clockFinding('Discord', date, clock.now())
    yield* applicationFindings(application)
    yield* installFindings(application, everybody)
    yield await gatewayFinding(rest)
    if (bot === 'apart') yield apartFinding('Discord')
    if (bot === 'connected') yield fine(discordWords.alreadyConnected())
    yield* guildFindings(rest, application.id, me.id)
    yield* commandFindings(rest, application)
    if (probe !== undefined) yield* probeFindings(rest, probe)
  } catch (thrown) {
    yield refusal(thrown)
  } finally {
    rest.clearHandlerSweeper()
    rest.clearHashSweeper()
  }
}

const readsContent = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited

/** The settings in the developer portal. */
function* applicationFindings(application: APIApplication): Generator<Finding> {
  const page = `${portal}/${application.id}`
  if (((application.flags ?? 0) & readsContent) === 0) {
    yield broken(
      discordWords.contentIntentOff(),
      `Switch on “Message Content Intent” at ${page}/bot, under “Privileged Gateway Intents”, and save.`,
    )
  } else yield fine(discordWords.contentIntentOn())
  if (application.interactions_endpoint_url) {
    yield broken(
      discordWords.interactionsElsewhere({ interactions_endpoint_url: application.interactions_endpoint_url }),
      `Clear “Interactions Endpoint URL” at ${page}/information, and save.`,
    )
  }
  if (application.bot_require_code_grant === true) {
    const remedy = `Switch off “Requires OAuth2 Code Grant” at ${page}/bot, and save.`
    yield mind(discordWords.codeGrantRequired(), remedy)
  }
}

/** Adding it to one's own account needs nobody else's consent. */
function* installFindings(application: APIApplication, everybody: boolean): Generator<Finding> {
  if (!isForPeople(application)) return
  if (everybody && application.bot_public !== false) {
    yield mind(
      discordWords.accountInstallForAnybody(),
      discordWords.accountInstallRemedy({ page: `${portal}/${application.id}` }),
    )
  } else yield fine(discordWords.accountInstallOn())
}
