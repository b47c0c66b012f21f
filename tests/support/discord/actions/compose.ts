import { type APIEmbed, MessageFlags } from 'discord-api-types/v10'
import type { Context } from '../context.ts'
import { ApiError, apiError } from '../rest/errors.ts'
import { placed } from '../rules/components.ts'
import { fileNames, isTooManyBytes, type MessageForm, mediaOf } from '../rules/message.ts'
import { type AllowedMentions, mentionsIn } from '../world/mentions.ts'
import { may } from '../world/permissions.ts'
import type { Attachment, Channel, Message, UploadedFile } from '../world/types.ts'
import { completed } from './components.ts'

const { SuppressEmbeds, SuppressNotifications, IsComponentsV2, Ephemeral, HasThread, Loading } = MessageFlags
const settable = SuppressEmbeds | SuppressNotifications | IsComponentsV2
const kept = Ephemeral | HasThread | IsComponentsV2

export interface Composing {
  files: Map<string, UploadedFile>
  /** The default allowed_mentions: all in messages, only users in responses to interactions. */
  defaultMentions?: AllowedMentions
}

/** Applies a request body to a message of the bot; an edit keeps absent fields. */
export function compose(context: Context, channel: Channel, message: Message, form: MessageForm, more: Composing) {
  const { world, violations } = context
  if (form.components && isTooManyBytes(form.components)) {
    violations.push('A message of components is too long in bytes: Discord answers 500')
    throw new ApiError(500, 0, '500: Internal Server Error')
  }
  const flags = ((form.flags ?? message.flags) & settable) | (message.flags & kept & ~Loading)
  const content = form.content === undefined ? message.content : (form.content ?? '').trim()
  const components = form.components === undefined ? message.components : completed(form.components ?? [])
  const embeds = form.embeds === undefined ? message.embeds : (form.embeds ?? []).map(rich)
  const attachments = attachmentsOf(context, message, form, more.files)
  if (!content && components.length + embeds.length + attachments.length === 0 && !form.poll) throw apiError(50006)
  const texts = placed(components).map(({ component }) => component.content ?? '')
  const all = may(world, channel, message.authorId, 'MentionEveryone')
  const allowed = form.allowed_mentions ?? more.defaultMentions
  const mentions = mentionsIn(world, channel, [content, ...texts].join('\n'), all, allowed)
  if (flags & IsComponentsV2) tellHidden(context, form, message, more.files)
  return { content, components, embeds, attachments, flags, mentions } satisfies Partial<Message>
}

const rich = (embed: unknown): APIEmbed => ({ type: 'rich', ...(embed as APIEmbed) }) as APIEmbed

function attachmentsOf(
  { world, cdn }: Context,
  message: Message,
  form: MessageForm,
  files: Map<string, UploadedFile>,
): Attachment[] {
  const named = form.attachments?.map(({ id }) => String(id))
  const old = message.attachments.filter(({ id }) => form.attachments === undefined || named?.includes(id))
  const added = [...files].map(([key, file]): Attachment => {
    const entry = form.attachments?.find(({ id }) => String(id) === key) as { filename?: string; description?: string }
    const id = world.ids.next()
    cdn.store(id, file)
    return {
      id,
      filename: (entry?.filename ?? file.name).replace(/[^\p{L}\p{N}._-]/gu, '_'),
      size: file.content.length,
      channelId: message.channelId,
      contentType: file.contentType,
      ...(entry?.description && { description: entry.description }),
      ...(message.ephemeralTo !== undefined && { ephemeral: true }),
    }
  })
  return [...old, ...added]
}

/** Discord accepts such a file and shows it to nobody. */
function tellHidden({ violations }: Context, form: MessageForm, message: Message, files: Map<string, UploadedFile>) {
  const shown = mediaOf(placed(form.components ?? message.components)).map(({ name }) => name)
  for (const name of fileNames(form, files, message)) {
    if (!shown.includes(name)) violations.push(`The file ${name} is in no component, so nobody sees it`)
  }
}
