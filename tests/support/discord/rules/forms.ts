import type { Incoming } from '../rest/call.ts'
import { isDirect, isForum } from '../world/world.ts'

/** Picks the form of a body where the description allows several and the context decides. */
export function formOf(route: string, { context, params }: Incoming): string | undefined {
  const channel = context.world.channels.get(params.channel_id ?? '')
  switch (route) {
    case 'PATCH /channels/{channel_id}':
      if (channel === undefined || isDirect(channel)) return undefined
      return channel.thread ? 'UpdateThreadRequestPartial' : 'UpdateGuildChannelRequestPartial'
    case 'POST /channels/{channel_id}/threads':
      if (channel === undefined) return undefined
      return isForum(channel) ? 'CreateForumThreadRequest' : 'CreateTextThreadWithoutMessageRequest'
    case 'POST /webhooks/{webhook_id}/{webhook_token}':
      return 'IncomingWebhookRequestPartial'
    default:
      return undefined
  }
}
