import { announcePost, snapshot } from '../announce.ts'
import { type Args, refuse, violate } from '../args.ts'
import { checkBlocks, checkChunks } from '../blocks/check.ts'
import { demand, metadataOf, threadOf } from '../content.ts'
import { blocksOf, type Json, listAt } from '../json.ts'
import { existing, type Methods, userAt, visible, writable } from '../method.ts'
import type { Slack } from '../slack.ts'
import { addTo, endStream, newStream, showStream } from '../stream.ts'
import type { Message, Stream } from '../types.ts'
import { setSessionStatus } from './agents.ts'
import { answered, rootBefore, withMetadata } from './chat.ts'

/** One call's text or chunks; a stream accepts only the kind it started with. */
function take(slack: Slack, args: Args, stream: Stream): boolean {
  const text = args.maybe('markdown_text')
  const chunks = args.json('chunks', 'invalid_chunks')
  if (text !== undefined && chunks !== undefined) return violate('streaming_mode_mismatch')
  if (text !== undefined && text.length > 12_000) return violate('msg_too_long', [`${text.length} characters`])
  if (chunks !== undefined) demand(checkChunks(chunks))
  const list = listAt({ chunks }, 'chunks')
  const mode = text !== undefined ? 'text' : list.length > 0 ? 'chunks' : undefined
  if (mode === undefined) return false
  if (stream.mode !== undefined && stream.mode !== mode) return violate('streaming_mode_mismatch')
  if (!addTo(slack.world, stream, text, list)) return violate('msg_too_long', ['the whole stream'])
  stream.mode = mode
  return true
}

function start(slack: Slack, args: Args): Json {
  const { world, settings } = slack
  const channel = writable(slack, args.text('channel'))
  const note = (one: string) => slack.violations.push(`chat.startStream: ${one}`)
  const threadTs = threadOf(world, args, channel.id, note)
  if (threadTs === undefined && channel.kind === 'im') return violate('invalid_thread_ts', ['[ERROR] thread_ts'])
  if (channel.kind !== 'im') {
    if (!args.has('recipient_team_id')) return violate('missing_recipient_team_id')
    if (!args.has('recipient_user_id')) return violate('missing_recipient_user_id')
  }
  const recipient = userAt(args, 'recipient_user_id')
  if (recipient !== undefined && !world.people.has(recipient)) return refuse('user_not_found')
  const display = args.maybe('task_display_mode') ?? 'timeline'
  if (display !== 'timeline' && display !== 'plan') return violate('invalid_arguments', ['task_display_mode'])
  const stream = newStream(display)
  take(slack, args, stream)
  const before = rootBefore(slack, channel.id, threadTs)
  const bot = { user: world.bot.id, bot: world.bot, username: args.maybe('username') }
  const message = world.store({ channel: channel.id, ...bot, text: '', threadTs, stream })
  announcePost(slack, message)
  showStream(world, message)
  stream.timer = setTimeout(() => endStream(slack, message, 'errored'), settings.streamMs).unref()
  answered(slack, message, before)
  return { channel: channel.id, ts: message.ts }
}

function streaming(slack: Slack, args: Args): { message: Message; stream: Stream } {
  const channel = visible(slack, args.text('channel'))
  if (channel.archived) return refuse('is_archived')
  const message = existing(slack, channel, args.text('ts'))
  if (message.bot?.id !== slack.world.bot.id) return refuse('message_not_owned_by_app')
  const { stream } = message
  if (stream?.stoppedByUser) return refuse('stopped_by_user')
  return stream?.state === 'in_progress' ? { message, stream } : refuse('message_not_in_streaming_state')
}

function append(slack: Slack, args: Args): Json {
  const { message, stream } = streaming(slack, args)
  if (!take(slack, args, stream)) return violate('no_text')
  showStream(slack.world, message)
  return { channel: message.channel, ts: message.ts }
}

function stop(slack: Slack, args: Args): Json {
  const { message, stream } = streaming(slack, args)
  const blocks = args.json('blocks', 'invalid_blocks_format')
  if (blocks !== undefined) demand(checkBlocks(blocks, 'message'))
  const metadata = metadataOf(args)
  const status = args.maybe('session_status')
  const previous = snapshot(slack, message)
  take(slack, args, stream)
  stream.tail = slack.world.withIds(blocksOf(blocks))
  message.metadata = metadata ?? message.metadata
  endStream(slack, message, 'completed', previous)
  if (status !== undefined && message.threadTs !== undefined) {
    setSessionStatus(slack, { channel: message.channel, threadTs: message.threadTs, status })
  }
  return { channel: message.channel, ts: message.ts, message: withMetadata(slack, message) }
}

const scopes = ['chat:write']
const said = ['channel', 'markdown_text', 'chunks']

export const streamMethods: Methods = {
  'chat.startStream': {
    scopes,
    tier: 2,
    args: [
      ...said,
      ...['thread_ts', 'recipient_team_id', 'recipient_user_id', 'task_display_mode'],
      ...['icon_emoji', 'icon_url', 'username'],
    ],
    run: start,
  },
  'chat.appendStream': { scopes, tier: 4, args: [...said, 'ts'], run: append },
  'chat.stopStream': { scopes, tier: 2, args: [...said, 'ts', 'blocks', 'metadata', 'session_status'], run: stop },
}
