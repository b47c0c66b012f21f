import { announceRoot } from '../announce.ts'
import { type Args, refuse, violate } from '../args.ts'
import { isObject, type Json, stringAt } from '../json.ts'
import { type Methods, needScope, userAt, visible } from '../method.ts'
import type { Slack } from '../slack.ts'
import type { Channel } from '../types.ts'
import { rootBefore } from './chat.ts'

const statuses = ['active', 'processing', 'suspended', 'closed']

interface Change {
  channel: string
  threadTs: string
  status: string
  title?: string | undefined
  initiator?: string | undefined
}

/** Created if it doesn't exist; title and initiator count only then. */
export function setSessionStatus(slack: Slack, { channel, threadTs, status, title, initiator }: Change) {
  if (!statuses.includes(status)) return violate('invalid_arguments', [`[ERROR] status ${status}`])
  const key = `${channel}:${threadTs}`
  const before = rootBefore(slack, channel, threadTs)
  const held = slack.world.sessions.get(key)
  const session = {
    channel,
    threadTs,
    status,
    title: held?.title ?? title ?? '',
    initiator: held?.initiator ?? initiator,
  }
  slack.world.sessions.set(key, session)
  announceRoot(slack, channel, threadTs, before)
  return session
}

function threadIn(slack: Slack, args: Args): { channel: Channel; threadTs: string } {
  const channel = visible(slack, args.text('channel_id'))
  const threadTs = args.text('thread_ts')
  return channel.messages.get(threadTs) ? { channel, threadTs } : refuse('invalid_thread_ts')
}

function titleOf(args: Args, required: boolean): string | undefined {
  const title = required ? args.text('title') : args.maybe('title')
  if (title !== undefined && title.length > 200) return violate('invalid_arguments', ['[ERROR] title: 200 characters'])
  return title
}

function setStatus(slack: Slack, args: Args): Json {
  const { channel, threadTs } = threadIn(slack, args)
  const initiator = userAt(args, 'initiator_user_id')
  if (initiator !== undefined && !channel.members.has(initiator)) return refuse('user_not_in_channel')
  if (args.has('username') || args.has('icon_emoji') || args.has('icon_url')) needScope(slack, 'chat:write.customize')
  const title = titleOf(args, false)
  const status = args.text('status')
  const session = setSessionStatus(slack, { channel: channel.id, threadTs, status, title, initiator })
  const warning = slack.events.subscribed('agent_session_stopped')
    ? {}
    : { warning: 'missing_agent_session_stopped_event_subscription' }
  return { status: session.status, agent_status: session.status, title: session.title, ...warning }
}

function rename(slack: Slack, args: Args): Json {
  const { channel, threadTs } = threadIn(slack, args)
  const title = titleOf(args, true) ?? ''
  const session = slack.world.sessions.get(`${channel.id}:${threadTs}`)
  if (!session) return refuse('session_not_found')
  const before = rootBefore(slack, channel.id, threadTs)
  session.title = title
  announceRoot(slack, channel.id, threadTs, before)
  return { title }
}

function assistantStatus(slack: Slack, args: Args): Json {
  const { channel, threadTs } = threadIn(slack, args)
  const loadingMessages = args.json('loading_messages') ?? []
  if (!Array.isArray(loadingMessages) || loadingMessages.length > 10) {
    return violate('invalid_arguments', ['[ERROR] loading_messages: at most 10'])
  }
  const key = `${channel.id}:${threadTs}`
  // An empty text clears it.
  const status = stringAt(args.all, 'status')
  if (args.all.status === undefined) args.text('status')
  if (status === '') slack.statuses.delete(key)
  else slack.statuses.set(key, { status, loadingMessages: loadingMessages.map(String) })
  return {}
}

function assistantTitle(slack: Slack, args: Args): Json {
  const { channel, threadTs } = threadIn(slack, args)
  slack.titles.set(`${channel.id}:${threadTs}`, args.text('title'))
  return {}
}

function suggestedPrompts(slack: Slack, args: Args): Json {
  const channel = visible(slack, args.text('channel_id'))
  const threadTs = args.maybe('thread_ts')
  const prompts = args.json('prompts')
  if (!Array.isArray(prompts) || prompts.length === 0 || prompts.length > 4) {
    return violate('invalid_arguments', ['[ERROR] prompts: 1 to 4'])
  }
  const kept = prompts.map((one: unknown) => {
    const { title, message } = isObject(one) ? one : {}
    if (typeof title === 'string' && title !== '' && typeof message === 'string' && message !== '') {
      return { title, message }
    }
    return violate('invalid_arguments', ['[ERROR] a prompt has a title and a message'])
  })
  slack.prompts.set(threadTs === undefined ? channel.id : `${channel.id}:${threadTs}`, kept)
  return {}
}

const place = ['channel_id', 'thread_ts']
const author = ['icon_emoji', 'icon_url', 'username']

export const agentMethods: Methods = {
  'agents.sessions.setStatus': {
    scopes: ['chat:write'],
    tier: 3,
    args: [...place, 'status', 'title', 'initiator_user_id', ...author],
    run: setStatus,
  },
  'agents.sessions.rename': { scopes: ['chat:write'], tier: 3, args: [...place, 'title'], run: rename },
  'assistant.threads.setStatus': {
    scopes: ['chat:write'],
    tier: 'unlimited',
    args: [...place, 'status', 'loading_messages', ...author],
    run: assistantStatus,
  },
  'assistant.threads.setTitle': {
    scopes: ['assistant:write'],
    tier: 4,
    args: [...place, 'title'],
    run: assistantTitle,
  },
  'assistant.threads.setSuggestedPrompts': {
    scopes: ['assistant:write'],
    tier: 4,
    args: [...place, 'prompts', 'title'],
    run: suggestedPrompts,
  },
}
