import { InteractionResponseType, MessageFlags, MessageType } from 'discord-api-types/v10'
import { compose } from '../../actions/compose.ts'
import { addMessage, changeMessage, draft } from '../../actions/messages.ts'
import type { Context } from '../../context.ts'
import { type FirstAnswer, type Interaction, sourceOf } from '../../interactions/interactions.ts'
import type { MessageForm } from '../../rules/message.ts'
import type { ModalForm } from '../../rules/modal.ts'
import { storedMessagePayload } from '../../world/message-payloads.ts'
import type { Channel, Message, UploadedFile } from '../../world/types.ts'
import { json, noContent } from '../answer.ts'
import type { Handler, Incoming } from '../call.ts'
import { apiError } from '../errors.ts'

/** The default allowed_mentions of a response. */
const usersOnly = { parse: ['users'] }

function channelOfInteraction({ world }: Context, { channelId }: Interaction): Channel {
  const channel = world.channels.get(channelId) ?? world.unseen.get(channelId)
  if (channel === undefined) throw apiError(10003)
  return channel
}

const typeOfAnswer = ({ message, name }: Interaction): MessageType =>
  message ? MessageType.Reply : name === undefined ? MessageType.Default : MessageType.ChatInputCommand

/** A message that responds to an interaction, ephemeral if the body says so. */
function answerDraft(context: Context, interaction: Interaction, form: MessageForm): Message {
  const channel = channelOfInteraction(context, interaction)
  const { userId, message } = interaction
  const isEphemeral = ((form.flags ?? 0) & MessageFlags.Ephemeral) !== 0
  return {
    ...draft(context, channel, context.world.botId),
    type: typeOfAnswer(interaction),
    flags: isEphemeral ? MessageFlags.Ephemeral : 0,
    interaction: sourceOf(interaction),
    ...(isEphemeral && { ephemeralTo: userId }),
    ...(message && { reference: { channelId: channel.id, messageId: message.id } }),
  }
}

export function answerWith(
  context: Context,
  interaction: Interaction,
  form: MessageForm,
  files: Map<string, UploadedFile>,
): Message {
  const channel = channelOfInteraction(context, interaction)
  const message = answerDraft(context, interaction, form)
  Object.assign(message, compose(context, channel, message, form, { files, defaultMentions: usersOnly }))
  return addMessage(context, channel, message, 1)
}

/** The first edit of a deferred response is the response itself, not an edit. */
export function editAnswer(context: Context, message: Message, form: MessageForm, files: Map<string, UploadedFile>) {
  const channel = context.world.channels.get(message.channelId) ?? context.world.unseen.get(message.channelId)
  if (channel === undefined) throw apiError(10003)
  const loading = (message.flags & MessageFlags.Loading) !== 0
  const changes = compose(context, channel, message, form, { files, defaultMentions: usersOnly })
  return changeMessage(context, message, changes, !loading)
}

function defer(context: Context, interaction: Interaction, form: MessageForm): Message {
  const message = answerDraft(context, interaction, form)
  message.flags |= MessageFlags.Loading
  return addMessage(context, channelOfInteraction(context, interaction), message, 1)
}

function firstAnswer({ context, body, files }: Incoming, interaction: Interaction): FirstAnswer {
  const form = (body.data ?? {}) as MessageForm
  const { message } = interaction
  switch (body.type) {
    case InteractionResponseType.ChannelMessageWithSource:
      return { kind: 'message', message: answerWith(context, interaction, form, files) }
    case InteractionResponseType.DeferredChannelMessageWithSource:
      return { kind: 'deferred', message: defer(context, interaction, form) }
    case InteractionResponseType.Modal:
      return { kind: 'modal', modal: form as unknown as ModalForm }
    case InteractionResponseType.ApplicationCommandAutocompleteResult:
      return { kind: 'choices', choices: (body.data as { choices?: [] }).choices ?? [] }
    default: {
      if (message === undefined) throw new Error('Only an interaction with a message can update it')
      if (body.type === InteractionResponseType.DeferredMessageUpdate) return { kind: 'deferred update', message }
      return { kind: 'updated', message: editAnswer(context, message, form, files) }
    }
  }
}

const callback: Handler = (incoming) => {
  const { context, params, query, body } = incoming
  const { interactions } = context
  const interaction = interactions.find(params.interaction_id ?? '')
  if (interaction?.token !== params.interaction_token || interaction === undefined) throw apiError(10062)
  if (!interaction.first && interactions.isLate(interaction)) interactions.settle(interaction, { kind: 'failed' })
  if (interaction.first?.kind === 'failed') throw apiError(10062)
  if (interaction.first) throw apiError(40060)
  const first = firstAnswer(incoming, interaction)
  if ('message' in first) interaction.response = first.message
  if (first.kind === 'modal') {
    interactions.openModals.set(interaction.userId, { modal: first.modal, from: interaction })
  }
  interactions.settle(interaction, first)
  if (query.get('with_response') !== 'true') return noContent
  return json(callbackPayload(context, interaction, Number(body.type)))
}

function callbackPayload(context: Context, interaction: Interaction, type: number) {
  const { id, response } = interaction
  const created = response !== undefined && response !== interaction.message
  return {
    interaction: {
      id,
      type: interaction.type,
      ...(created && {
        response_message_id: response.id,
        response_message_loading: (response.flags & MessageFlags.Loading) !== 0,
        response_message_ephemeral: response.ephemeralTo !== undefined,
      }),
    },
    ...(response && { resource: { type, message: storedMessagePayload(context, response) } }),
  }
}

export const interactionRoutes: Record<string, Handler> = {
  'POST /interactions/{interaction_id}/{interaction_token}/callback': callback,
}
