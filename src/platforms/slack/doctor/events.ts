import type { WebClient } from '@slack/web-api'
import { broken, type Finding, fine, mind } from '../../../domain/finding.ts'
import { reasonIn } from '../api/errors.ts'
import { clientWith } from './client.ts'
import { appPage, notLetIn, refusedSocket, subscribed, unseenEvents } from './findings.ts'
import { DoctorSocket } from './socket.ts'

export interface SocketCheck {
  appToken: string
  apiUrl: string | undefined
  /** Of the bot token. */
  app: string | undefined
  probe: string | undefined
  /** How long Slack may take for a hello, or for an event, ms. */
  patienceMs: number
}

/** Whether events come in through Socket Mode. */
export async function* socketFindings(check: SocketCheck, client: WebClient): AsyncGenerator<Finding> {
  let url: string
  try {
    const opened = await clientWith(check.appToken, check.apiUrl).client.apps.connections.open({})
    url = opened.url ?? ''
  } catch (thrown) {
    yield notLetIn(thrown, 'app')
    return
  }
  const socket = new DoctorSocket(url)
  try {
    const greeting = await socket.greeting(check.patienceMs)
    if (greeting.kind === 'nothing') {
      yield broken(
        `Slack accepts the app token, but doesn’t answer on the WebSocket within ${check.patienceMs / 1000} s.`,
        `A proxy or firewall may be in the way: WebSockets to ${new URL(url).host} have to be let through.`,
      )
      return
    }
    if (greeting.kind === 'goodbye') {
      yield refusedSocket(greeting.reason)
      return
    }
    yield fine('Socket Mode works: Slack said hello.')
    const { app } = check
    if (app !== undefined && greeting.app !== undefined && app !== greeting.app) {
      yield broken(
        `The two tokens belong to different apps: the bot token to ${app}, the app token to ${greeting.app}.`,
        `Copy both from the same app at ${appPage}.`,
      )
      return
    }
    const alone = greeting.connections <= 1
    if (!alone) {
      yield mind(
        'Another process is connected with this app token; Slack gives each event to only one of them.',
        'Stop it, or give each an app of its own.',
      )
    }
    if (check.probe === undefined) yield unseenEvents()
    else yield* probeFindings(client, check.probe, alone ? { socket, patienceMs: check.patienceMs } : undefined)
  } finally {
    socket.close()
  }
}

/** Posts a message, deletes it, and checks whether it comes back as an event. */
export async function* probeFindings(
  client: WebClient,
  channel: string,
  listening: { socket: DoctorSocket; patienceMs: number } | undefined,
): AsyncGenerator<Finding> {
  let posted: { channel: string; ts: string }
  try {
    const answer = await client.chat.postMessage({ channel, text: 'A test by `doctor`, deleted right away.' })
    posted = { channel: answer.channel ?? channel, ts: answer.ts ?? '' }
  } catch (thrown) {
    yield broken(`No message can be posted in ${channel}: ${reasonIn(thrown)}.`)
    return
  }
  const heard = await listening?.socket.hears(posted.channel, posted.ts, listening.patienceMs)
  try {
    await client.chat.delete(posted)
    yield fine(`A message was posted in ${channel} and deleted.`)
  } catch (thrown) {
    yield broken(`The test message in ${channel} could not be deleted: ${reasonIn(thrown)}.`, 'Delete it by hand.')
  }
  if (heard === true) yield fine('It came back as an event: messages of such channels reach the bot.')
  if (heard === false) yield broken('It did not come back as an event.', ...subscribed)
  if (heard === undefined) yield unseenEvents()
}
