import { z } from 'zod'
import type { Heard } from '../../../domain/chat.ts'
import type { Identity } from './identity.ts'

/** The parts of Slack's payloads that we read. Odd parts are left out; none of them makes the whole unreadable. */
const maybe = z.string().optional().catch(undefined)
const flag = z.boolean().catch(false)

/** The valid ones; the rest is left out. */
const listOf = <T>(item: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.flatMap((one) => item.safeParse(one).data ?? []))

const file = z.object({
  id: z.string(),
  name: maybe,
  title: maybe,
  size: z.number().catch(0),
  mode: maybe,
  file_access: maybe,
  url_private: maybe,
  url_private_download: maybe,
})
export type SlackFile = z.output<typeof file>

const blocks = z.array(z.unknown()).catch([])

const attachment = z.object({
  text: maybe,
  fallback: maybe,
  pretext: maybe,
  title: maybe,
  fields: listOf(z.object({ title: maybe, value: maybe })),
  author_name: maybe,
  /** A forwarded message. */
  is_share: flag,
  files: listOf(file),
  blocks,
  /** Of a forwarded message. */
  message_blocks: listOf(z.object({ message: z.object({ blocks }) })),
  /** Made by Slack from a link in the text. */
  from_url: maybe,
  is_msg_unfurl: flag,
})
export type Attachment = z.output<typeof attachment>

export const message = z.object({
  ts: z.string(),
  thread_ts: maybe,
  user: maybe,
  user_team: maybe,
  team: maybe,
  bot_id: maybe,
  username: maybe,
  bot_profile: z.object({ name: maybe }).optional().catch(undefined),
  subtype: maybe,
  text: z.string().catch(''),
  blocks,
  attachments: listOf(attachment),
  files: listOf(file),
  streaming_state: maybe,
  latest_reply: maybe,
  edited: z.object({ ts: z.string() }).optional().catch(undefined),
  hidden: flag,
  metadata: z
    .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
    .optional()
    .catch(undefined),
})
export type SlackMessage = z.output<typeof message>

const inChannel = { channel: z.string() }

export const messageEvent = message.extend(inChannel)
export const changedEvent = z.object({
  ...inChannel,
  event_ts: maybe,
  message,
  previous_message: message.optional().catch(undefined),
})
export const deletedEvent = z.object({
  ...inChannel,
  deleted_ts: z.string(),
  previous_message: message.optional().catch(undefined),
})

export const reactionEvent = z.object({
  user: z.string(),
  reaction: z.string(),
  item: z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  item_user: maybe,
  event_ts: z.string(),
})

export const stoppedEvent = z.object({ ...inChannel, user: z.string(), thread_ts: z.string(), event_ts: z.string() })

export const renamedEvent = z.object({ ...inChannel, thread_ts: z.string(), title: z.string() })

export const homeEvent = z.object({ ...inChannel, user: z.string(), tab: maybe })

export const messages = (value: unknown): SlackMessage[] => listOf(message).parse(value)

/** Whose message it is: ours, another bot’s, or a person’s. */
export function authorOf({ user, bot_id, subtype }: Partial<SlackMessage>, me: Identity): Heard['author'] {
  if (user === me.userId || (bot_id !== undefined && bot_id === me.botId)) return 'self'
  return bot_id !== undefined || subtype === 'bot_message' || user === 'USLACKBOT' ? 'bot' : 'person'
}
