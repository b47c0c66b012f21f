import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Nonces } from './actions/nonces.ts'
import type { Context } from './context.ts'
import { type Fault, Faults, type RequestMatch } from './faults.ts'
import { Gateway } from './gateway/gateway.ts'
import { Commands } from './interactions/commands.ts'
import { Interactions } from './interactions/interactions.ts'
import { type Misbehaviour, misbehaviourOf } from './misbehave.ts'
import { type DiscordServerOptions, settingsOf } from './options.ts'
import type { ModalValue } from './people/modal.ts'
import { type People, peopleOf } from './people/people.ts'
import type { Call } from './rest/call.ts'
import { createRestServer } from './rest/server.ts'
import { type ShownMessage, viewOf } from './view.ts'
import { Cdn } from './world/cdn.ts'
import { createWorld } from './world/create.ts'

export type { Call, DiscordServerOptions, Fault, ModalValue, RequestMatch, ShownMessage }

export interface DiscordServer {
  /** For discord.js: `rest: {api: url}`. */
  url: string
  token: string
  botId: string
  guildId: string
  /** Ids by name. */
  users: Record<string, string>
  channels: Record<string, string>
  roles: Record<string, string>
  /** Every REST call in order. */
  calls: Call[]
  /** Requests that Discord would have refused, or that people would not have seen. */
  violations: string[]
  people: People
  misbehave: Misbehaviour
  /** How many connections are identified, how the bot connected, and how many IDENTIFYs are left. */
  gateway: { connected: number; identifies: number; resumes: number; remaining: number }
  view(channelOrThread: string): ShownMessage[]
  close(): Promise<void>
}

/** A fake Discord on loopback, for one bot in one guild. */
export async function startDiscordServer(options: DiscordServerOptions = {}): Promise<DiscordServer> {
  const settings = settingsOf(options)
  const world = createWorld(settings)
  const faults = new Faults(options.limits ?? false)
  const violations: string[] = []
  const context: Context = {
    settings,
    world,
    faults,
    cdn: new Cdn(settings.attachmentLifetimeMs),
    gateway: new Gateway(world, settings, faults, violations),
    interactions: new Interactions(settings),
    commands: new Commands(),
    nonces: new Nonces(settings.nonceMemoryMs),
    violations,
  }
  const calls: Call[] = []
  const http = createRestServer(context, calls)
  context.gateway.attach(http)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  context.cdn.origin = `http://${host}`
  context.gateway.url = `ws://${host}/gateway`

  return {
    url: `http://${host}/api`,
    token: settings.token,
    botId: world.botId,
    guildId: world.guildId,
    users: idsByName([...world.users.values()].map(({ id, username }) => [username, id])),
    channels: idsByName([...world.channels.values()].map(({ id, name }) => [name, id])),
    roles: idsByName([...world.roles.values()].map(({ id, name }) => [name, id])),
    calls,
    violations,
    people: peopleOf(context),
    misbehave: misbehaviourOf(context),
    get gateway() {
      const { connected, counts, starts } = context.gateway
      return { connected, ...counts, remaining: starts.limit.remaining }
    },
    view: (where) => viewOf(context, world.channel(where).id),
    async close() {
      context.interactions.close()
      context.gateway.close()
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

const idsByName = (pairs: [string, string][]): Record<string, string> => Object.fromEntries(pairs)
