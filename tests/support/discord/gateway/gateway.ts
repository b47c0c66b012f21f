import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayCloseCodes, GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10'
import { WebSocketServer } from 'ws'
import type { Faults } from '../faults.ts'
import type { Settings } from '../options.ts'
import { openApi } from '../rules/openapi.ts'
import { memberWithUserPayload, type Payload } from '../world/channel-payloads.ts'
import { redacted } from '../world/message-payloads.ts'
import { canSee } from '../world/permissions.ts'
import type { Channel, Message } from '../world/types.ts'
import { isDirect, type World } from '../world/world.ts'
import { Connection, type ConnectionEvents } from './connection.ts'
import { allIntents, disallowedIntents, intentFor } from './intents.ts'
import { guildCreatePayload, readyPayload } from './ready.ts'
import { Session } from './session.ts'
import { SessionStarts } from './session-starts.ts'

interface About {
  /** Where it happens; a bot that can't see the channel isn't told. */
  channel?: Channel
  /** The message whose content it contains. */
  message?: Message
}

/** Discord's gateway, for a single bot. */
export class Gateway implements ConnectionEvents {
  readonly #world: World
  readonly #settings: Settings
  readonly #faults: Faults
  readonly #violations: string[]
  readonly #server = new WebSocketServer({ noServer: true })
  readonly #sessions = new Map<string, Session>()
  readonly #connections = new Set<Connection>()
  readonly starts: SessionStarts
  /** How often the bot identified and resumed. */
  readonly counts = { identifies: 0, resumes: 0 }
  /** False once the budget was exceeded, because Discord then resets the token. */
  tokenIsGood = true
  /** Set once the server is listening. */
  url = ''

  constructor(world: World, settings: Settings, faults: Faults, violations: string[]) {
    this.#violations = violations
    this.#world = world
    this.#settings = settings
    this.#faults = faults
    this.starts = new SessionStarts(settings.sessionStarts)
  }

  attach(http: Server): void {
    http.on('upgrade', (request, socket, head) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gateway')
      if (!pathname.startsWith('/gateway')) return socket.destroy()
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new Connection(webSocket, this, searchParams.get('compress'))
        this.#connections.add(connection)
        if (searchParams.get('v') !== '10') return connection.close(GatewayCloseCodes.InvalidAPIVersion)
        connection.send(GatewayOpcodes.Hello, { heartbeat_interval: this.#settings.heartbeatIntervalMs })
      })
    })
  }

  get connected(): number {
    return [...this.#connections].filter(({ session }) => session).length
  }

  dispatch(event: string, data: Payload, { channel, message }: About = {}): void {
    if (this.#settings.checkAnswers) this.#check(event, data)
    if (this.#faults.dropping || (channel && !canSee(this.#world, channel, this.#world.botId))) return
    const intent = intentFor(event, channel !== undefined && isDirect(channel))
    for (const session of this.#sessions.values()) {
      if ((session.intents & intent) !== intent) continue
      const blind = message && !(session.intents & GatewayIntentBits.MessageContent)
      session.dispatch(event, blind ? redacted(this.#world, message, data) : data)
    }
  }

  hasIntent(intent: GatewayIntentBits): boolean {
    return [...this.#sessions.values()].some(({ intents }) => (intents & intent) !== 0)
  }

  /** Closes every connection with a code; 1006 drops it without one. */
  disconnect(code: number): void {
    for (const connection of this.#connections) connection.close(code)
  }

  sendAll(op: GatewayOpcodes, data?: unknown): void {
    for (const connection of this.#connections) connection.send(op, data)
  }

  /** Invalid Session: the connection has no session until it resumes or identifies. */
  invalidate(resumable: boolean): void {
    if (!resumable) this.forgetSessions()
    for (const connection of this.#connections) {
      if (connection.session) connection.session.connection = undefined
      connection.session = undefined
      connection.send(GatewayOpcodes.InvalidSession, resumable)
    }
  }

  /** Existing connections stay open but deliver no events; heartbeats are acknowledged or not. */
  deafen(mute: boolean, acknowledges: boolean): void {
    for (const connection of this.#connections) Object.assign(connection, { mute, acknowledges })
  }

  tellGuild(available: boolean): void {
    if (available) this.dispatch('GUILD_CREATE', guildCreatePayload(this.#world))
    else this.dispatch('GUILD_DELETE', { id: this.#world.guildId, unavailable: true })
  }

  /** Makes every session impossible to resume. */
  forgetSessions(): void {
    this.#sessions.clear()
  }

  resetToken(): void {
    this.tokenIsGood = false
    this.forgetSessions()
    this.disconnect(GatewayCloseCodes.AuthenticationFailed)
  }

  close(): void {
    this.disconnect(1006)
    this.#server.close()
  }

  identify(connection: Connection, data: Record<string, unknown>) {
    this.counts.identifies++
    if (!this.#isToken(data.token)) return connection.close(GatewayCloseCodes.AuthenticationFailed)
    const intents = Number(data.intents)
    if (!Number.isInteger(intents) || intents & ~allIntents) return connection.close(GatewayCloseCodes.InvalidIntents)
    if (intents & disallowedIntents(this.#settings)) return connection.close(GatewayCloseCodes.DisallowedIntents)
    const [shard, count] = (data.shard ?? [0, 1]) as [number, number]
    if (shard >= count) return connection.close(GatewayCloseCodes.InvalidShard)
    const start = this.starts.take()
    if (start === 'exhausted') return this.resetToken()
    if (start === 'too soon' && this.#settings.identifyThrottle) {
      return connection.send(GatewayOpcodes.InvalidSession, false)
    }
    connection.compressesEach = data.compress === true
    connection.session = new Session(randomBytes(16).toString('hex'), intents, [shard, count], connection)
    this.#begin(connection.session)
  }

  resume(connection: Connection, { token, session_id, seq }: Record<string, unknown>) {
    this.counts.resumes++
    if (!this.#isToken(token)) return connection.close(GatewayCloseCodes.AuthenticationFailed)
    const session = this.#sessions.get(String(session_id))
    const manner = this.#faults.resume
    if (manner === 'again') {
      this.#faults.resume = 'replay'
      return connection.send(GatewayOpcodes.InvalidSession, true)
    }
    if (session === undefined || manner === 'refuse') {
      if (session) this.#sessions.delete(session.id)
      return connection.send(GatewayOpcodes.InvalidSession, false)
    }
    if (Number(seq) > session.sequence) return connection.close(GatewayCloseCodes.InvalidSeq)
    session.connection?.close(GatewayCloseCodes.SessionTimedOut)
    session.connection = connection
    connection.session = session
    if (manner === 'replay') session.replayAfter(Number(seq))
    session.dispatch('RESUMED', {})
  }

  requestMembers(connection: Connection, data: Record<string, unknown>): void {
    const { query = '', user_ids, nonce, limit = 0 } = data
    const wanted = user_ids === undefined ? undefined : [user_ids].flat().map(String)
    const found = [...this.#world.members.values()].filter(({ userId }) =>
      wanted ? wanted.includes(userId) : this.#world.user(userId).username.startsWith(String(query)),
    )
    connection.session?.dispatch('GUILD_MEMBERS_CHUNK', {
      guild_id: this.#world.guildId,
      members: found.slice(0, Number(limit) || undefined).map((one) => memberWithUserPayload(this.#world, one)),
      chunk_index: 0,
      chunk_count: 1,
      not_found: wanted?.filter((id) => !this.#world.members.has(id)) ?? [],
      ...(nonce !== undefined && { nonce }),
    })
  }

  /** A client that closes with 1000 or 1001 gives up its session. */
  closed(connection: Connection, code: number): void {
    this.#connections.delete(connection)
    const { session } = connection
    if (session?.connection !== connection) return
    session.connection = undefined
    if (code === 1000 || code === 1001) this.#sessions.delete(session.id)
  }

  async #begin(session: Session): Promise<void> {
    if (this.#faults.readyDelayMs > 0) await sleep(this.#faults.readyDelayMs, undefined, { ref: false })
    session.dispatch('READY', readyPayload(this.#world, this.#settings, session, this.url))
    this.#sessions.set(session.id, session)
    const { guild } = this.#faults
    if (!(session.intents & GatewayIntentBits.Guilds) || guild === 'late') return
    const away = { id: this.#world.guildId, unavailable: true }
    session.dispatch('GUILD_CREATE', guild === 'there' ? guildCreatePayload(this.#world) : away)
  }

  #check(event: string, data: Payload): void {
    for (const { path, message } of openApi.checkEvent(event, data)) {
      this.#violations.push(`Our event ${event}: ${path.join('.')}: ${message}`)
    }
  }

  #isToken(token: unknown): boolean {
    return this.tokenIsGood && token === this.#settings.token
  }
}
