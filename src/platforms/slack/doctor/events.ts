import type { WebClient } from '@slack/web-api'
import { broken, type Finding, fine, mind } from '../../../domain/finding.ts'
import { reasonIn } from '../api/errors.ts'
import { slackWords } from '../words/words.ts'
import { clientWith } from './client.ts'
import { appPage, notLetIn, refusedSocket, subscribed, unseenEvents } from './findings.ts'
import { DoctorSocket } from './socket.ts'

export interface SocketCheck {
  appToken: string
  apiUrl: string | undefined
  /** Of the bot token. */
  app: string | undefined
  probe: string | undefined
  /** How long Slack may take for a hello, ms. */
  helloMs: number
  /** How long a probe may take to come back as an event, ms. */
  eventMs: number
}

type AppTokenCheck = Pick<SocketCheck, 'appToken' | 'apiUrl'>

/** The address of a connection that isn't there yet, or why Slack gives none. */
async function addressFor({ appToken, apiUrl }: AppTokenCheck): Promise<string | Finding> {
  try {
    return (await clientWith(appToken, apiUrl).client.apps.connections.open({})).url ?? ''
  } catch (thrown) {
    return notLetIn(thrown, 'app')
  }
}

/** Whether Slack accepts the app token. Takes nothing away from a bot that may be connected. */
export async function appTokenFinding(check: AppTokenCheck): Promise<Finding> {
  const url = await addressFor(check)
  return typeof url === 'string' ? fine(slackWords.appTokenAccepted()) : url
}

/** Whether events come in through Socket Mode. */
export async function* socketFindings(check: SocketCheck, client: WebClient): AsyncGenerator<Finding> {
  const url = await addressFor(check)
  if (typeof url !== 'string') {
    yield url
    return
  }
  const socket = new DoctorSocket(url)
  try {
    const greeting = await socket.greeting(check.helloMs)
    if (greeting.kind === 'nothing') {
      yield broken(
        slackWords.socketSilent({ seconds: check.helloMs / 1000 }),
        slackWords.socketSilentRemedy({ host: new URL(url).host }),
      )
      return
    }
    if (greeting.kind === 'goodbye') {
      yield refusedSocket(greeting.reason)
      return
    }
    yield fine(slackWords.socketWorks())
    const { app } = check
    if (app !== undefined && greeting.app !== undefined && app !== greeting.app) {
      yield broken(
        slackWords.tokensOfTwoApps({ bot: app, app: greeting.app }),
        slackWords.tokensOfTwoAppsRemedy({ appPage }),
      )
      return
    }
    const alone = greeting.connections <= 1
    if (!alone) {
      yield mind(slackWords.connectionShared(), slackWords.connectionSharedRemedy())
    }
    if (check.probe === undefined) yield unseenEvents()
    else yield* probeFindings(client, check.probe, alone ? { socket, eventMs: check.eventMs } : undefined)
  } finally {
    socket.close()
  }
}

/** Posts a message, deletes it, and checks whether it comes back as an event. */
export async function* probeFindings(
  client: WebClient,
  channel: string,
  listening: { socket: DoctorSocket; eventMs: number } | undefined,
): AsyncGenerator<Finding> {
  let posted: { channel: string; ts: string }
  try {
    const answer = await client.chat.postMessage({ channel, text: slackWords.probeText() })
    posted = { channel: answer.channel ?? channel, ts: answer.ts ?? '' }
  } catch (thrown) {
    yield broken(slackWords.probeNotPosted({ channel, thrown: reasonIn(thrown) }))
    return
  }
  const heard = await listening?.socket.hears(posted.channel, posted.ts, listening.eventMs)
  try {
    await client.chat.delete(posted)
    yield fine(slackWords.probePosted({ channel }))
  } catch (thrown) {
    yield broken(slackWords.probeNotDeleted({ channel, thrown: reasonIn(thrown) }), slackWords.probeNotDeletedRemedy())
  }
  if (heard === true) yield fine(slackWords.probeHeard())
  if (heard === false) yield broken(slackWords.probeNotHeard(), ...subscribed())
  if (heard === undefined) yield unseenEvents()
}
