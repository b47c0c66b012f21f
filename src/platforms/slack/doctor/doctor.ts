import type { WebClient } from '@slack/web-api'
import { type BotThere, broken, type Finding, fine, mind } from '../../../domain/finding.ts'
import type { Clock } from '../../../kit/clock.ts'
import { apartFinding, clockFinding } from '../../words/doctor-findings.ts'
import { codeOf, reasonIn } from '../api/errors.ts'
import { slackWords } from '../words/words.ts'
import { clientWith } from './client.ts'
import { appTokenFinding, probeFindings, socketFindings } from './events.ts'
import { appPage, httpFinding, notLetIn } from './findings.ts'

export interface SlackCheck {
  botToken: string
  appToken: string | undefined
  apiUrl: string | undefined
  /** Where requests come in without an app token. */
  http: { host: string; port: number } | undefined
  /** Those of the manifest. */
  scopes: string[]
  /** If it may have the connection, a second one would take clicks and commands away from it. */
  bot: BotThere
  /** A channel where a message may be posted and deleted again. */
  probe: string | undefined
  clock: Clock
  helloMs?: number
  eventMs?: number
}

const reinstall = () => [slackWords.pasteManifestRemedy({ appPage }), slackWords.reinstallRemedy()]

/**
 * Everything about the connection to Slack that can be checked from here. Posts nothing, unless there is a channel to
 * probe.
 */
export async function* slackFindings(check: SlackCheck): AsyncGenerator<Finding> {
  const { client, heard } = clientWith(check.botToken, check.apiUrl)
  let me: Awaited<ReturnType<WebClient['auth']['test']>>
  try {
    me = await client.auth.test()
  } catch (thrown) {
    yield notLetIn(thrown, 'bot')
    return
  }
  yield fine(slackWords.botTokenAccepted({ user: me.user ?? '?', team: me.team ?? '?', url: me.url ?? '?' }))
  yield clockFinding('Slack', heard.date, check.clock.now())
  yield* scopeFindings(me.response_metadata?.scopes, check.scopes)
  yield* channelFindings(client, me.user ?? 'bot')

  const { appToken, apiUrl, bot, probe, helloMs = 8_000, eventMs = 8_000 } = check
  const overHttp = appToken === undefined ? [slackWords.requestsMissingRemedy()] : []
  if (bot === 'apart') yield apartFinding('Slack', ...overHttp)
  if (appToken !== undefined && (bot === 'none' || bot === 'apart')) {
    const app = me.app_id ?? (await appOf(client, me.bot_id))
    yield* socketFindings({ appToken, apiUrl, app, probe, helloMs, eventMs }, client)
    return
  }
  if (appToken === undefined) yield httpFinding(check.http)
  else {
    yield await appTokenFinding({ appToken, apiUrl })
    if (bot === 'connected') yield fine(slackWords.alreadyConnected())
    else yield mind(slackWords.connectionUnknown(), slackWords.connectionUnknownRemedy())
  }
  if (probe !== undefined) yield* probeFindings(client, probe, undefined)
}

function* scopeFindings(granted: string[] | undefined, wanted: string[]): Generator<Finding> {
  if (granted === undefined) {
    yield mind(slackWords.scopesUnknown())
    return
  }
  const missing = wanted.filter((scope) => !granted.includes(scope))
  const spare = granted.filter((scope) => !wanted.includes(scope))
  if (missing.length > 0) yield broken(slackWords.scopesMissing({ missing: missing.join(', ') }), ...reinstall())
  else yield fine(slackWords.scopesComplete({ count: wanted.length }))
  if (spare.length > 0) {
    const remedy = slackWords.spareScopesRemedy()
    yield mind(slackWords.spareScopes({ spare: spare.join(', ') }), remedy)
  }
}

async function* channelFindings(client: WebClient, name: string): AsyncGenerator<Finding> {
  try {
    const { channels = [] } = await client.users.conversations({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: 200,
    })
    const named = channels.slice(0, 5).map((channel) => `#${channel.name}`)
    const more = channels.length > named.length ? ' and more' : ''
    if (channels.length > 0) yield fine(slackWords.inChannels({ named: named.join(', '), more }))
    else yield mind(slackWords.joinedNowhere(), `Write /invite @${name} in each channel where it should answer.`)
  } catch (thrown) {
    yield mind(slackWords.channelsNotListed({ thrown: reasonIn(thrown) }))
  }
}

async function appOf(client: WebClient, bot: string | undefined): Promise<string | undefined> {
  try {
    return bot === undefined ? undefined : (await client.bots.info({ bot })).bot?.app_id
  } catch (thrown) {
    // A missing scope has been reported already.
    if (codeOf(thrown) === undefined) throw thrown
    return undefined
  }
}
