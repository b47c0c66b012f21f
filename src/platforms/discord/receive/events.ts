import { type APIInteraction, type Client, GatewayDispatchEvents } from 'discord.js'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import type { Message } from '../api/payload.ts'
import type { Directory } from '../directory/directory.ts'
import type { ReadBack } from '../gaps/read-back.ts'
import type { Greeter } from '../heard/greet.ts'
import type { Hearing } from '../heard/hearing.ts'
import type { Reactions } from '../heard/reactions.ts'
import type { Listeners } from './follow-client.ts'

interface FollowDeps {
  hearing: Hearing
  readBack: ReadBack
  reactions: Reactions
  greeter: Greeter
  directory: Directory
  client(): Client | undefined
  interaction(interaction: APIInteraction): Promise<void>
  /** We know who we are. */
  ready(application: string): Promise<void>
  /** What was refused there may be posted now. */
  retryRefused(where: { tenant?: string; project?: string }): Promise<void>
  log: Log
}

/** What happens with each event from the gateway. */
export function follow(deps: FollowDeps): Listeners {
  const { hearing, readBack, reactions, greeter, directory, log } = deps

  /** No event may throw into the library. */
  const guarded =
    <Data>(name: string, take: (data: Data, shard: number) => unknown) =>
    (data: Data, shard: number) => {
      const failed = (thrown: unknown) => log.error({ name, error: reasonOf(thrown) }, 'an event of Discord failed')
      try {
        void Promise.resolve(take(data, shard)).catch(failed)
      } catch (thrown) {
        failed(thrown)
      }
    }

  return {
    lost: (shard) => readBack.lost(shard),
    resumed: (shard) => readBack.resumed(shard),
    fresh: (ready) => readBack.begin(ready),
    known: (shard) => void readBack.known(shard),
    missing: () => readBack.missing([...(deps.client()?.guilds.cache.keys() ?? [])]),
    attach({ ws }) {
      const on = <Data>(event: GatewayDispatchEvents, take: (data: Data, shard: number) => unknown) =>
        ws.on(event, guarded(event, take))
      on(GatewayDispatchEvents.Ready, ({ application }: { application: { id: string } }) => deps.ready(application.id))
      on(GatewayDispatchEvents.GuildCreate, readBack.server.bind(readBack))
      on(GatewayDispatchEvents.GuildCreate, ({ id, unavailable }: Server) =>
        unavailable === true ? undefined : greeter.server(id),
      )
      on(GatewayDispatchEvents.GuildDelete, readBack.gone.bind(readBack))
      on(GatewayDispatchEvents.MessageCreate, (message: Message) => hearing.take(message, message.guild_id))
      on(GatewayDispatchEvents.MessageUpdate, (message: Message) => hearing.changed(message, message.guild_id))
      on(GatewayDispatchEvents.MessageDelete, (gone: Deleted) => forget(gone, [gone.id]))
      on(GatewayDispatchEvents.MessageDeleteBulk, (gone: DeletedMany) => forget(gone, gone.ids))
      on(GatewayDispatchEvents.MessageReactionAdd, reactions.added.bind(reactions))
      on(GatewayDispatchEvents.MessageReactionRemove, reactions.removed.bind(reactions))
      on(GatewayDispatchEvents.MessageReactionRemoveAll, reactions.cleared.bind(reactions))
      on(GatewayDispatchEvents.MessageReactionRemoveEmoji, reactions.cleared.bind(reactions))
      on(GatewayDispatchEvents.InteractionCreate, deps.interaction)
      for (const event of ofRights)
        on(event, ({ guild_id: tenant }: { guild_id: string }) => deps.retryRefused({ tenant }))
      on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }) => deps.retryRefused({ tenant: id }))
      on(GatewayDispatchEvents.Ready, () => deps.retryRefused({}))
      on(GatewayDispatchEvents.GuildMemberUpdate, (member: Member) => {
        if (member.user.id === directory.self) return deps.retryRefused({ tenant: member.guild_id })
      })
      on(GatewayDispatchEvents.ThreadDelete, hearing.threadDeleted.bind(hearing))
    },
  }

  async function forget({ channel_id: channel, guild_id: guild }: Where, messages: string[]): Promise<void> {
    for (const message of messages) await hearing.deleted({ guild, channel, message })
  }
}

/** Events that may change the bot's permissions in a server. */
const ofRights = [
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.ThreadUpdate,
  GatewayDispatchEvents.ThreadListSync,
]

interface Server {
  id: string
  unavailable?: boolean
}

interface Member {
  guild_id: string
  user: { id: string }
}

interface Where {
  channel_id: string
  guild_id?: string
}
type Deleted = Where & { id: string }
type DeletedMany = Where & { ids: string[] }
