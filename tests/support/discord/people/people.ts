import { clearReactions } from '../actions/messages.ts'
import { deleteChannel } from '../actions/threads.ts'
import type { Context } from '../context.ts'
import type { ModalForm } from '../rules/modal.ts'
import { memberWithUserPayload } from '../world/channel-payloads.ts'
import { complete, messageCommand, type OptionValue, slash } from './commands.ts'
import { type Asked, click, select } from './interactions.ts'
import { edit, type PostOptions, post, reaction, remove } from './messages.ts'
import { type ModalValue, openModal, submitModal } from './modal.ts'
import { alterThread, createThread, inviteToThread, type ThreadOptions } from './threads.ts'

/** What people and other bots do. People and channels are given by name or id. */
export const peopleOf = (context: Context) => ({
  /** Posts in a channel, a thread or direct messages; returns the message's id. */
  post: (who: string, where: string, text: string, options?: PostOptions): string =>
    post(context, who, where, text, options).id,
  edit: (who: string, messageId: string, text: string): void => edit(context, who, messageId, text),
  delete: (messageId: string): void => remove(context, messageId),
  react: reaction(context, true),
  unreact: reaction(context, false),
  /** By a moderator: all of them, or all with this emoji. */
  clearReactions: (messageId: string, emoji?: string): void =>
    clearReactions(context, context.world.message(messageId), emoji),
  /** Somebody's DM channel with the bot. */
  direct: (who: string): string => context.world.directMessages(context.world.user(who).id).id,
  /** A place where the bot isn't: a channel of another server, or people who talk to each other. */
  elsewhere: (kind: 'server' | 'people'): string => context.world.elsewhere(kind === 'server').id,
  createThread: (who: string, where: string, name: string, options?: ThreadOptions): string =>
    createThread(context, who, where, name, options),
  archiveThread: (thread: string): void => alterThread(context, thread, { archived: true }),
  unarchiveThread: (thread: string): void => alterThread(context, thread, { archived: false }),
  /** By a moderator; the message that it began with stays. */
  deleteThread: (thread: string): void => deleteChannel(context, context.world.channel(thread)),
  lockThread: (thread: string): void => alterThread(context, thread, { locked: true }),
  unlockThread: (thread: string): void => alterThread(context, thread, { locked: false }),
  renameThread: (who: string, thread: string, name: string): void => alterThread(context, thread, { name }, who),
  click: (who: string, messageId: string, button: string): Asked => click(context, who, messageId, button),
  select: (who: string, messageId: string, customId: string, values: string[]): Asked =>
    select(context, who, messageId, customId, values),
  openModal: (who: string): ModalForm | undefined => openModal(context, who),
  submitModal: (who: string, values: Record<string, ModalValue>): Asked => submitModal(context, who, values),
  slash: (who: string, where: string, command: string, values?: Record<string, OptionValue>): Asked =>
    slash(context, who, where, command, values),
  complete: (who: string, where: string, command: string, option: string, typed: string): Asked =>
    complete(context, who, where, command, option, typed),
  messageCommand: (who: string, messageId: string, command: string): Asked =>
    messageCommand(context, who, messageId, command),
  inviteToThread: (thread: string, who: string): void => inviteToThread(context, thread, who),
  /** Somebody removes the bot from the server, if it is there, and invites it. */
  inviteBot: (): void => {
    const { world, gateway } = context
    const bot = world.members.get(world.botId)
    if (bot === undefined) throw new Error('The bot is no member.')
    gateway.dispatch('GUILD_DELETE', { id: world.guildId })
    bot.joinedAt = Date.now()
    gateway.tellGuild(true)
  },
  giveRole: (who: string, role: string): void => changeRole(context, who, role, true),
  takeRole: (who: string, role: string): void => changeRole(context, who, role, false),
})

export type People = ReturnType<typeof peopleOf>

function changeRole({ world, gateway }: Context, who: string, name: string, add: boolean): void {
  const member = world.members.get(world.user(who).id)
  if (member === undefined) throw new Error(`${who} is no member.`)
  const { id } = world.role(name)
  member.roles = add ? [...new Set([...member.roles, id])] : member.roles.filter((one) => one !== id)
  const payload = { ...memberWithUserPayload(world, member), guild_id: world.guildId }
  gateway.dispatch('GUILD_MEMBER_UPDATE', payload)
}
