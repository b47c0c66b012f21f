import { MessageFlags } from 'discord-api-types/v10'
import { deleteMessage } from '../../actions/messages.ts'
import type { Interaction } from '../../interactions/interactions.ts'
import type { MessageForm } from '../../rules/message.ts'
import { storedMessagePayload } from '../../world/message-payloads.ts'
import type { Message } from '../../world/types.ts'
import { json, noContent } from '../answer.ts'
import type { Handler, Incoming } from '../call.ts'
import { apiError } from '../errors.ts'
import { answerWith, editAnswer } from './interactions.ts'

/** An interaction's token works here once it is answered, until it expires. */
function interactionOf({ context, params }: Incoming): Interaction {
  const { interactions, world } = context
  const interaction = interactions.findByToken(params.webhook_token ?? '')
  if (interaction === undefined || params.webhook_id !== world.botId) throw apiError(10015)
  if (interactions.isExpired(interaction)) throw apiError(50027)
  if (interaction.first === undefined || interaction.first.kind === 'failed') throw apiError(10015)
  return interaction
}

/** `@original`, or a follow-up of the same interaction. */
function answerOf(incoming: Incoming): Message {
  const { world } = incoming.context
  const interaction = interactionOf(incoming)
  const id = incoming.params.message_id ?? interaction.response?.id
  const message = id === undefined ? undefined : world.findMessage(interaction.channelId, id)
  const isItsOwn = message?.interaction?.id === interaction.id || message === interaction.response
  if (message === undefined || !isItsOwn) throw apiError(10008)
  return message
}

/** Where the bot isn't, an interaction has only so many follow-ups. */
const mostElsewhere = 5

const followUp: Handler = (incoming) => {
  const { context, files } = incoming
  const form = incoming.body as MessageForm
  const interaction = interactionOf(incoming)
  const { response } = interaction
  // While the response is deferred, Discord treats the first follow-up as the response.
  if (response && response.flags & MessageFlags.Loading) {
    return json(storedMessagePayload(context, editAnswer(context, response, form, files)))
  }
  if (context.world.unseen.has(interaction.channelId)) {
    interaction.followUps = (interaction.followUps ?? 0) + 1
    if (interaction.followUps > mostElsewhere) throw apiError(40094)
  }
  return json(storedMessagePayload(context, answerWith(context, interaction, form, files)))
}

const get: Handler = (incoming) => json(storedMessagePayload(incoming.context, answerOf(incoming)))

const edit: Handler = (incoming) => {
  const { context, files, body } = incoming
  return json(storedMessagePayload(context, editAnswer(context, answerOf(incoming), body as MessageForm, files)))
}

const remove: Handler = (incoming) => {
  deleteMessage(incoming.context, answerOf(incoming))
  return noContent
}

const webhook = '/webhooks/{webhook_id}/{webhook_token}'

export const webhookRoutes: Record<string, Handler> = {
  [`POST ${webhook}`]: followUp,
  [`GET ${webhook}/messages/@original`]: get,
  [`PATCH ${webhook}/messages/@original`]: edit,
  [`DELETE ${webhook}/messages/@original`]: remove,
  [`GET ${webhook}/messages/{message_id}`]: get,
  [`PATCH ${webhook}/messages/{message_id}`]: edit,
  [`DELETE ${webhook}/messages/{message_id}`]: remove,
}
