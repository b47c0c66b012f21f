import { announceChange, announcePost, snapshot } from './announce.ts'
import { Args, refuse } from './args.ts'
import { contentOf } from './content.ts'
import type { Json } from './json.ts'
import { remove, rewrite } from './methods/chat.ts'
import type { ResponseTarget } from './response-urls.ts'
import type { Slack } from './slack.ts'
import type { Message } from './types.ts'

function withoutEphemeral(slack: Slack, message: Message) {
  const { ephemerals } = slack.world
  ephemerals.splice(ephemerals.indexOf(message), 1)
}

/** What can be sent to a response_url or in response to a command. */
export function respond(slack: Slack, target: ResponseTarget, fields: Json): Message | undefined {
  const { world } = slack
  const args = new Args(fields)
  const original = target.ts === undefined ? undefined : world.message(target.ts, target.channel)
  if (args.flag('delete_original')) {
    if (!original || original.deleted) return refuse('message_not_found')
    if (original.ephemeralTo === undefined) remove(slack, original)
    else withoutEphemeral(slack, original)
    return undefined
  }
  const { attachments = [], ...said } = contentOf(world, args, 'new')
  if (args.flag('replace_original') && original) {
    const previous = snapshot(slack, original)
    rewrite(original, { ...said, attachments, edited: { user: world.bot.id, ts: world.ids.ts() } })
    announceChange(slack, original, previous)
    return original
  }
  const open = fields.response_type === 'in_channel'
  const message = world.store({
    channel: target.channel,
    user: world.bot.id,
    bot: world.bot,
    ...said,
    attachments,
    threadTs: args.maybe('thread_ts') ?? (open ? undefined : target.threadTs),
    ephemeralTo: open ? undefined : target.user,
  })
  announcePost(slack, message)
  return message
}
