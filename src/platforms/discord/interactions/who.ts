import type { APIChannel, APIInteraction, APIMessage } from 'discord.js'
import type { ThreadRef } from '../../../domain/chat.ts'
import type { PersonInChannel } from '../../inbound-sink.ts'
import { type Directory, readRoom } from '../directory/directory.ts'
import { threadOf } from '../directory/thread-refs.ts'
import { nameUser } from '../heard/translate.ts'

export interface WhoAndWhere {
  actor: PersonInChannel
  /** Where it was done; a channel that is no thread is none. */
  thread: ThreadRef | undefined
}

/** Who did something, and where. Undefined for what comes from nowhere, such as Discord's own checks. */
export async function whoAsks(interaction: APIInteraction, directory: Directory): Promise<WhoAndWhere | undefined> {
  const user = interaction.member?.user ?? interaction.user
  const channel = interaction.channel?.id
  if (user === undefined || channel === undefined) return undefined
  // A thread that was archived at start isn't known yet, and is described here.
  if (interaction.channel?.type !== undefined && interaction.guild_id !== undefined) {
    directory.remember(readRoom(interaction.channel as APIChannel))
  }
  const root = rootOf(interaction.message)
  const where = { guild: interaction.guild_id, channel, message: root ?? '' }
  const thread = await threadOf(where, directory)
  return {
    actor: { person: nameUser(user, interaction.member?.nick), tenant: thread.tenant, project: thread.project },
    thread: thread.thread === '' ? undefined : thread,
  }
}

/** In a channel where no threads can be made, everything the bot says replies to the message that began it. */
const rootOf = (message: APIMessage | undefined): string | undefined => message?.message_reference?.message_id
