import { GatewayOpcodes, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10'
import type { Context } from './context.ts'
import type { Fault, Faults, RequestMatch, ResumeManner } from './faults.ts'
import { channelPayload, threadMemberPayload } from './world/channel-payloads.ts'
import { canSee, type Permission } from './world/permissions.ts'
import { isDirect } from './world/world.ts'

/** Makes things go wrong, from now on or once. */
export const misbehaviourOf = (context: Context) => {
  const { faults, gateway, interactions, cdn } = context
  return {
    /** How the next matching requests end. What none has met within `forMs` is dropped. */
    fail: (match: RequestMatch, fault: Fault, times = 1, forMs = Number.POSITIVE_INFINITY): void =>
      faults.plan(match, fault, times, forMs),
    /** Discord's own rate limits. */
    limit: (on: boolean): void => {
      faults.limits = on
    },
    /** Delivers every MESSAGE_CREATE this many times. */
    copies: (count: number): void => {
      faults.copies = count
    },
    /** Closes the gateway's connections with a code; 1006 drops them without one. */
    disconnect: (code = 1006): void => gateway.disconnect(code),
    /** Moves Discord's clock forward, ms. */
    ahead: (ms: number): void => {
      context.world.ids.aheadMs = ms
    },
    /** Asks for a heartbeat out of turn. */
    askHeartbeat: (): void => gateway.sendAll(GatewayOpcodes.Heartbeat),
    /** Asks the bot to connect anew and to resume. */
    reconnect: (): void => gateway.sendAll(GatewayOpcodes.Reconnect),
    /** Invalid Session, now. */
    invalidate: (resumable = false): void => gateway.invalidate(resumable),
    resume: (manner: ResumeManner): void => {
      faults.resume = manner
    },
    /** Events aren't delivered; only the REST history has them. */
    drop: (on: boolean): void => {
      faults.dropping = on
    },
    /** Existing connections stay open but deliver no events; a new one does. */
    deafen: ({ acknowledges = true } = {}): void => gateway.deafen(true, acknowledges),
    hear: (): void => gateway.deafen(false, true),
    delayReady: (ms: number): void => {
      faults.readyDelayMs = ms
    },
    /** Takes a permission from the bot, in a channel and its threads. */
    deny: (where: string, permission: Permission): void => permit(context, where, permission, false),
    allow: (where: string, permission: Permission): void => permit(context, where, permission, true),
    /** Somebody stops accepting direct messages from the bot. */
    closeDirect: (who: string): void => {
      faults.closedDirect.add(context.world.user(who).id)
    },
    /** Expires all interaction tokens and file addresses given out so far. */
    expire: (): void => {
      interactions.expire()
      cdn.expire()
    },
    /** How new sessions are told of the guild. */
    guild: (is: Faults['guild']): void => {
      faults.guild = is
    },
    /** The guild becomes unavailable, and then available again. */
    outage: (on: boolean): void => gateway.tellGuild(!on),
    /** The token stops working, as after exceeding the IDENTIFY budget. */
    resetToken: (): void => gateway.resetToken(),
    /** Everything works again; permissions stay as they are. */
    stop: (): void => {
      faults.clear()
      gateway.deafen(false, true)
    },
  }
}

export type Misbehaviour = ReturnType<typeof misbehaviourOf>

function permit({ world, gateway }: Context, where: string, permission: Permission, allowed: boolean): void {
  const channel = world.parentOf(world.channel(where))
  if (isDirect(channel)) throw new Error('Direct messages know no permissions; closeDirect closes them.')
  const bit = PermissionFlagsBits[permission]
  const known = channel.overwrites.find(({ id }) => id === world.botId)
  const own = known ?? { id: world.botId, type: OverwriteType.Member, allow: '0', deny: '0' }
  const allow = allowed ? BigInt(own.allow) | bit : BigInt(own.allow) & ~bit
  const deny = allowed ? BigInt(own.deny) & ~bit : BigInt(own.deny) | bit
  const others = channel.overwrites.filter((one) => one !== known)
  channel.overwrites = [...others, { ...own, allow: String(allow), deny: String(deny) }]
  gateway.dispatch('CHANNEL_UPDATE', channelPayload(world, channel))
  if (permission !== 'ViewChannel' || !allowed) return
  const threads = world.threadsOf(channel.id).filter((one) => !one.thread?.archived && canSee(world, one, world.botId))
  gateway.dispatch('THREAD_LIST_SYNC', {
    guild_id: world.guildId,
    channel_ids: [channel.id],
    threads: threads.map((one) => channelPayload(world, one)),
    members: threads
      .filter(({ thread }) => thread?.members.has(world.botId))
      .map((one) => threadMemberPayload(one, world.botId)),
  })
}
