import { ComponentType, MessageFlags, MessageType } from 'discord-api-types/v10'
import type { Context } from './context.ts'
import { isSelect, placed } from './rules/components.ts'
import type { Component, Message } from './world/types.ts'

interface ShownButton {
  label: string
  customId: string | undefined
  url: string | undefined
  disabled: boolean
}

interface ShownSelect {
  customId: string
  options: { label: string; value: string }[]
  disabled: boolean
}

/** A message as people see it. */
export interface ShownMessage {
  id: string
  /** The author's name. */
  author: string
  /** The text, or that of its components and embeds, a line each. */
  content: string
  components: Component[]
  buttons: ShownButton[]
  selects: ShownSelect[]
  attachments: { name: string; content: string; bytes: Buffer }[]
  /** Emoji to the names of those who chose it. */
  reactions: Record<string, string[]>
  edited: boolean
  /** Discord shows "… is thinking". */
  loading: boolean
  replyTo: string | undefined
  /** Names of the notified people and roles; `@everyone` for everyone. */
  pinged: string[]
  /** The name of the only person who sees it. */
  ephemeralTo: string | undefined
}

const written = new Set([
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
])

/** Messages from people and bots, without Discord's own. */
export const viewOf = (context: Context, channelId: string): ShownMessage[] =>
  context.world
    .messagesIn(channelId)
    .filter(({ type }) => written.has(type))
    .map((message) => shown(context, message))

function shown({ world, cdn }: Context, message: Message): ShownMessage {
  const all = placed(message.components).map(({ component }) => component)
  const name = (userId: string) => world.user(userId).username
  return {
    id: message.id,
    author: name(message.authorId),
    content: textOf(message, all),
    components: message.components,
    buttons: all.filter(({ type }) => type === ComponentType.Button).map(shownButton),
    selects: all.filter(isSelect).map(shownSelect),
    attachments: message.attachments.map(({ id, filename }) => {
      const bytes = cdn.content(id)
      return { name: filename, content: String(bytes), bytes }
    }),
    reactions: Object.fromEntries([...message.reactions].map(([emoji, users]) => [emoji, [...users].map(name)])),
    edited: message.editedAt !== undefined,
    loading: (message.flags & MessageFlags.Loading) !== 0,
    replyTo: message.type === MessageType.Reply ? message.reference?.messageId : undefined,
    pinged: [
      ...message.mentions.users.map(name),
      ...message.mentions.roles.map((id) => world.role(id).name),
      ...(message.mentions.everyone ? ['@everyone'] : []),
    ],
    ephemeralTo: message.ephemeralTo && name(message.ephemeralTo),
  }
}

function textOf({ content, embeds }: Message, all: Component[]): string {
  const texts = all.filter(({ type }) => type === ComponentType.TextDisplay).map((component) => component.content ?? '')
  const embedded = embeds.flatMap(({ title, description, fields }) => [
    title,
    description,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
  ])
  return [content, ...texts, ...embedded].filter(Boolean).join('\n')
}

const shownButton = (component: Component): ShownButton => ({
  label: component.label ?? (component.emoji as { name?: string } | undefined)?.name ?? '',
  customId: component.custom_id ?? undefined,
  url: component.url ?? undefined,
  disabled: component.disabled ?? false,
})

const shownSelect = (component: Component): ShownSelect => ({
  customId: component.custom_id ?? '',
  options: (component.options ?? []).map(({ label, value }) => ({ label, value })),
  disabled: component.disabled ?? false,
})
