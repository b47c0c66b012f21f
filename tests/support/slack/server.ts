import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAliveTimeout } from '../keep-alive.ts'
import { patienceMs } from '../until.ts'
import { Courier, type Delivery } from './courier.ts'
import { answerAt, download, sendLogin, upload } from './downloads.ts'
import { Events } from './events.ts'
import { Interactions } from './interactions.ts'
import { until, viewOf } from './look.ts'
import { Misbehaviour } from './misbehave.ts'
import { People } from './people.ts'
import { type Shown, shownMessage } from './render.ts'
import { RequestUrl } from './request-url.ts'
import { ResponseUrls } from './response-urls.ts'
import { type Settings, type SlackOptions, settingsOf } from './settings.ts'
import type { Slack } from './slack.ts'
import { SocketMode } from './socket.ts'
import { Triggers } from './triggers.ts'
import { Troubles } from './troubles.ts'
import type { ApiCall, StoredFile } from './types.ts'
import { sendJson, WebApi } from './web-api.ts'
import { World } from './world.ts'

export type { ShownView } from './forms.ts'
export type { Shown } from './render.ts'
export type { SlackOptions } from './settings.ts'

/** What people do, including clicks, forms and commands. */
type Acting = People & Pick<Interactions, 'click' | 'submit' | 'closeView' | 'slash' | 'modal' | 'home'>

export interface SlackServer {
  /** `http://127.0.0.1:…/api/`, for `slackApiUrl`. */
  apiUrl: string
  origin: string
  botToken: string
  appToken: string
  signingSecret: string
  team: { id: string; name: string; domain: string }
  app: { id: string; name: string }
  /** The bot's user id and bot id, and its mention. */
  bot: { id: string; botId: string; mention: string }
  world: World
  /** Change `scopes` and `events` in place. */
  settings: Settings
  people: Acting
  misbehave: Troubles
  sockets: SocketMode
  /** Every call, in order, without tokens. */
  calls: ApiCall[]
  /** Limits and formats that the bot broke; tests assert that it's empty. */
  violations: string[]
  deliveries: Delivery[]
  /** assistant.threads.*: by `channel:thread_ts`; prompts of a DM by its channel alone. */
  statuses: Slack['statuses']
  titles: Slack['titles']
  prompts: Slack['prompts']
  /** Ids by id or name. */
  user(who: string): string
  channel(which: string): string
  /** Calls of one method. */
  callsTo(method: string): ApiCall[]
  /** A thread with its root, or the top of a channel; ephemerals are among them. */
  view(channel: string, threadTs?: string): Shown[]
  message(ts: string): Shown
  file(id: string): StoredFile | undefined
  sessionStatus(channel: string, threadTs: string): string | undefined
  /** The first true value of `look`, which is asked after each change. */
  until<T>(look: () => T | undefined | false | null, timeoutMs?: number): Promise<T>
  /** Resolves when every event is acknowledged or given up. */
  idle(): Promise<void>
  /** Switches to HTTP; without a URL, back to Socket Mode. Returns where it went before. */
  deliverTo(url: string | undefined): string | undefined
  /** Sends the challenge to the request URL. */
  verifyUrl(): Promise<boolean>
  close(): Promise<void>
}

function route(slack: Slack, api: WebApi, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const [, first = '', second = '', third = ''] = pathname.split('/')
  if (first === 'api') return api.handle(request, response, second)
  if (first === 'upload') return upload(slack, request, response, third)
  if (first === 'files-pri') return download(slack, request, response, second.split('-').at(-1) ?? '')
  if (first === 'signin') return sendLogin(response)
  if (first === 'actions') return answerAt(slack, request, response, second)
  return sendJson(response, { ok: false, error: 'not_found' }, 404)
}

function acting(slack: Slack): Acting {
  const interactions = new Interactions(slack)
  return Object.assign(new People(slack), {
    click: interactions.click.bind(interactions),
    submit: interactions.submit.bind(interactions),
    closeView: interactions.closeView.bind(interactions),
    slash: interactions.slash.bind(interactions),
    modal: interactions.modal.bind(interactions),
    home: interactions.home.bind(interactions),
  })
}

/** A fake Slack on loopback, for the real bolt and its clients. */
export async function startSlackServer(options: SlackOptions = {}): Promise<SlackServer> {
  const settings = settingsOf(options)
  const world = new World(options)
  const misbehave = new Misbehaviour()
  const sockets = new SocketMode(misbehave, settings.pingMs, world.app.id, () => world.changed())
  const delivery = { url: options.requestUrl }
  const http = (url: string) => new RequestUrl(url, settings.signingSecret, misbehave)
  const transport = () => (delivery.url === undefined ? sockets : http(delivery.url))
  const courier = new Courier(settings, misbehave, transport, () => world.changed())
  const place = { origin: '' }
  const slack: Slack = {
    world,
    settings,
    misbehave,
    courier,
    sockets,
    events: new Events(world, settings, courier, misbehave),
    triggers: new Triggers(world.ids, settings),
    responseUrls: new ResponseUrls(world.ids, settings),
    violations: [],
    calls: [],
    statuses: new Map(),
    titles: new Map(),
    prompts: new Map(),
    uploads: new Map(),
    origin: () => place.origin,
    revoked: false,
  }
  const api = new WebApi(slack)
  const server = createServer({ keepAliveTimeout }, (request, response) => {
    Promise.resolve(route(slack, api, request, response)).catch((thrown: Error) => {
      slack.violations.push(`the server itself failed: ${thrown.stack}`)
      response.destroy()
    })
  })
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  place.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    apiUrl: `${place.origin}/api/`,
    origin: place.origin,
    botToken: settings.botToken,
    appToken: settings.appToken,
    signingSecret: settings.signingSecret,
    team: world.team,
    app: world.app,
    bot: { id: world.bot.id, botId: world.bot.botId ?? '', mention: `<@${world.bot.id}>` },
    world,
    settings,
    people: acting(slack),
    misbehave: new Troubles(slack),
    sockets,
    calls: slack.calls,
    violations: slack.violations,
    deliveries: courier.deliveries,
    statuses: slack.statuses,
    titles: slack.titles,
    prompts: slack.prompts,
    user: (who) => world.person(who).id,
    channel: (which) => world.channel(which).id,
    callsTo: (method) => slack.calls.filter((one) => one.method === method),
    view: (channel, threadTs) => viewOf(slack, channel, threadTs),
    message(ts) {
      const message = world.message(ts)
      if (!message) throw new Error(`no message ${ts}`)
      return shownMessage(message)
    },
    file: (id) => world.files.get(id),
    sessionStatus: (channel, threadTs) => world.sessions.get(`${world.channel(channel).id}:${threadTs}`)?.status,
    until: (look, timeoutMs = patienceMs) => until(slack, look, timeoutMs),
    idle: () => courier.idle(),
    deliverTo(url) {
      const before = delivery.url
      delivery.url = url
      return before
    },
    verifyUrl: () => (delivery.url === undefined ? Promise.resolve(false) : http(delivery.url).verify()),
    async close() {
      courier.close()
      await sockets.close()
      world.stop()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
