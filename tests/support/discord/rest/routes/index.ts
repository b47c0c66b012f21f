import type { Handler } from '../call.ts'
import { applicationRoutes } from './application.ts'
import { channelRoutes } from './channels.ts'
import { commandRoutes } from './commands.ts'
import { guildRoutes } from './guilds.ts'
import { interactionRoutes } from './interactions.ts'
import { messageRoutes } from './messages.ts'
import { reactionRoutes } from './reactions.ts'
import { threadRoutes } from './threads.ts'
import { webhookRoutes } from './webhooks.ts'

/** By method and path as in the OpenAPI description. */
export const handlers: Record<string, Handler | undefined> = {
  ...applicationRoutes,
  ...channelRoutes,
  ...commandRoutes,
  ...guildRoutes,
  ...interactionRoutes,
  ...messageRoutes,
  ...reactionRoutes,
  ...threadRoutes,
  ...webhookRoutes,
}
