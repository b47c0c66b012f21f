import type { Copies } from './events.ts'
import { compact, type Json } from './json.ts'
import { historyObject, messageObject, threadFields } from './message-objects.ts'
import type { Slack } from './slack.ts'
import type { Message } from './types.ts'

const channelTypes = { public: 'channel', private: 'group', im: 'im', mpim: 'mpim' } as const

export interface Announcing extends Copies {
  /** The message event before the app_mention; otherwise after it. */
  messageFirst?: boolean
  /** Sends only this one of a mention's two events. */
  only?: 'app_mention' | 'message'
  /** Of a mention's two events, only the message has its files; the other one names them in its blocks. */
  filesLater?: boolean
}

/** A message as it is inside a message_changed event. */
export function snapshot({ world, origin }: Slack, message: Message): Json {
  const channel = world.channel(message.channel)
  const { metadata: _, reactions: __, ...shown } = historyObject(world, origin(), message, false)
  return { ...shown, ...(message.threadTs === undefined && threadFields(channel, message)) }
}

const place = ({ world }: Slack, channel: string) => ({
  channel,
  channel_type: channelTypes[world.channel(channel).kind],
})

const mentions = ({ world }: Slack, text: string) =>
  text.includes(`<@${world.bot.id}>`) || text.includes(`<@${world.bot.id}|`)

const fileElements = ({ files }: Message): Json => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: files.map(({ id }) => ({ type: 'file', file_id: id })) }],
})

function tellMention(slack: Slack, message: Message, asked: Announcing) {
  const { world, events } = slack
  const shown = messageObject(world, slack.origin(), message)
  const { subtype: _, streaming_state: __, ...whole } = shown
  const { files: ___, ...rest } = whole
  const event = asked.filesLater ? { ...rest, blocks: [...message.blocks, fileElements(message)] } : whole
  events.tell({ ...event, type: 'app_mention', channel: message.channel, event_ts: message.ts }, message.channel, asked)
}

/** Sends the events of a new message. A mention has two, in either order. */
export function announcePost(slack: Slack, message: Message, asked: Announcing = {}) {
  const { world, events } = slack
  if (message.ephemeralTo !== undefined) return
  const shown = messageObject(world, slack.origin(), message)
  const tellMessage = () =>
    events.tell({ ...shown, ...place(slack, message.channel), event_ts: message.ts }, message.channel, asked)
  const called =
    mentions(slack, message.text) && message.bot?.id !== world.bot.id && world.channel(message.channel).kind !== 'im'
  const acts = [
    ...(called && asked.only !== 'message' ? [() => tellMention(slack, message, asked)] : []),
    ...(asked.only === 'app_mention' ? [] : [tellMessage]),
  ]
  for (const act of asked.messageFirst ? acts.toReversed() : acts) act()
}

export function announceChange(slack: Slack, message: Message, previous: Json, asked: Copies = {}) {
  if (message.ephemeralTo !== undefined) return
  const event = {
    type: 'message',
    subtype: 'message_changed',
    message: snapshot(slack, message),
    previous_message: previous,
    ...place(slack, message.channel),
    hidden: true,
    ts: slack.world.ids.ts(),
  }
  slack.events.tell({ ...event, event_ts: event.ts }, message.channel, asked)
  const wasCalled = typeof previous.text === 'string' && mentions(slack, previous.text)
  if (message.edited && message.bot === undefined && mentions(slack, message.text) && !wasCalled) {
    tellMention(slack, message, asked)
  }
}

export function announceDeletion(slack: Slack, message: Message, previous: Json, asked: Copies = {}) {
  const ts = slack.world.ids.ts()
  const event = compact({
    type: 'message',
    subtype: 'message_deleted',
    previous_message: previous,
    ...place(slack, message.channel),
    hidden: true,
    deleted_ts: message.ts,
    event_ts: ts,
    ts,
  })
  slack.events.tell(event, message.channel, asked)
}

/** Sends message_changed for a root whose reply counters or session changed, although its text didn't. */
export function announceRoot(slack: Slack, channel: string, threadTs: string, before: Json | undefined) {
  const root = slack.world.message(threadTs, channel)
  if (slack.settings.bookkeeping && root && before && !root.deleted) announceChange(slack, root, before)
}
