import type { Json } from './json.ts'
import { remove } from './methods/chat.ts'
import type { Fault, FileFault, When } from './misbehave.ts'
import type { Slack } from './slack.ts'
import type { Refresh } from './socket.ts'
import { endStream } from './stream.ts'
import type { Channel } from './types.ts'

const anyone = ({ members }: Channel): string => [...members][0] ?? ''

/** Everything that a test can make go wrong, at any time. `calm` ends lasting problems. */
export class Troubles {
  readonly #slack: Slack

  constructor(slack: Slack) {
    this.#slack = slack
  }

  calm() {
    this.#slack.misbehave.clear()
    this.#slack.revoked = false
  }

  /** Events with these words come only then. */
  holdBack(text: string, until: () => Promise<void>) {
    this.#slack.misbehave.late = { text, until }
  }

  // The Web API; `method` may be `*`, and `upload` is the place where files are put.

  /** Any fault: the methods below are the usual ones. */
  on(method: string, fault: Fault, when?: When) {
    this.#slack.misbehave.on(method, fault, when)
  }

  /** 429 with Retry-After, seconds. */
  rateLimit(method: string, options?: When & { retryAfter?: number }) {
    this.#slack.misbehave.rateLimit(method, options)
  }

  /** 200 with `ok: false`. */
  refuse(method: string, error: string, options?: When & { extra?: Json }) {
    this.#slack.misbehave.refuse(method, error, options)
  }

  /** 500, or another status. */
  break(method: string, options?: When & { status?: number }) {
    this.#slack.misbehave.break(method, options)
  }

  /** The call takes effect but fails. */
  storeButFail(method: string, how: 'reset' | '500' | 'silence', when?: When) {
    this.#slack.misbehave.storeButFail(method, how, when)
  }

  /** The call has no effect and gets no error response. */
  drop(method: string, how?: 'reset' | 'silence', when?: When) {
    this.#slack.misbehave.drop(method, how, when)
  }

  slow(method: string, until: number | Promise<unknown>, when?: When) {
    this.#slack.misbehave.slow(method, until, when)
  }

  // Events and sockets.

  /** Delivers each event this many times, with new ids by default; 1 ends it. */
  copies(copies: number, options: { newEventIds?: boolean; everyMs?: number } = {}) {
    this.#slack.misbehave.copies = { copies, ...options }
  }

  /** Ignores the next acks, so the same events come again. */
  loseAcks(count?: number) {
    this.#slack.misbehave.loseAcks(count)
  }

  /** Drops the connection just before the next acks arrive. */
  dropBeforeAcks(count?: number) {
    this.#slack.misbehave.dropBeforeAcks(count)
  }

  /** Open sockets stay open but deliver no events; without pings they are completely dead. */
  deafen(options?: { pings?: boolean }) {
    this.#slack.sockets.deafen(options)
  }

  /** Drops every socket without a close frame. */
  breakSockets() {
    this.#slack.sockets.break()
  }

  /** Asks the app to reconnect, as Slack does every few hours. */
  refreshSockets(options?: Refresh) {
    this.#slack.sockets.refresh(options)
  }

  /** Tells the app that events of this workspace are dropped for a minute. */
  limitEvents() {
    const { world, courier } = this.#slack
    const limited = { type: 'app_rate_limited', token: 'verification-token', minute_rate_limited: 1_518_467_820 }
    void courier.event({ ...limited, team_id: world.team.id, api_app_id: world.app.id }, 'app_rate_limited')
  }

  // Messages and channels.

  /** Slack ends the streams that are open now. */
  closeStreams() {
    const messages = [...this.#slack.world.channels.values()].flatMap((channel) => channel.messages.all())
    for (const message of messages) endStream(this.#slack, message, 'errored')
  }

  /** Sets how long streams live from now on. */
  closeStreamsAfter(ms: number) {
    this.#slack.settings.streamMs = ms
  }

  /** Somebody deletes the message. */
  deleteMessage(ts: string) {
    const message = this.#slack.world.message(ts)
    if (!message) throw new Error(`no message ${ts}`)
    clearTimeout(message.stream?.timer)
    remove(this.#slack, message)
  }

  archive(channel: string, archived = true) {
    const place = this.#slack.world.channel(channel)
    const changed = place.archived !== archived
    place.archived = archived
    if (!changed || archived) return
    const type = place.kind === 'private' ? 'group_unarchive' : 'channel_unarchive'
    this.#slack.events.tell({ type, channel: place.id, user: anyone(place) }, place.id)
  }

  /** Removes the bot from the channel. */
  expelBot(channel: string) {
    this.#slack.world.channel(channel).members.delete(this.#slack.world.bot.id)
  }

  /** Somebody invites the bot. */
  inviteBot(channel: string) {
    const { world, events } = this.#slack
    const place = world.channel(channel)
    place.members.add(world.bot.id)
    const inviter = anyone(place)
    events.tell({ type: 'member_joined_channel', user: world.bot.id, channel: place.id, inviter }, place.id)
  }

  /** The app is told, as long as it is not removed altogether. */
  revokeToken(revoked = true) {
    const { world, events, revoked: before } = this.#slack
    this.#slack.revoked = revoked
    if (revoked && !before) events.tell({ type: 'tokens_revoked', tokens: { bot: [world.bot.id] } }, undefined)
  }

  /** Makes downloads fail; without a fault, they work again. */
  files(fault?: FileFault, options: { to?: string; times?: number } = {}) {
    this.#slack.misbehave.files = fault && { fault, ...options }
  }
}
