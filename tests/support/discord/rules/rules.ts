import { InteractionResponseType, InteractionType } from 'discord-api-types/v10'
import type { Interaction } from '../interactions/interactions.ts'
import type { Incoming } from '../rest/call.ts'
import { type FormProblem, problem } from '../rest/errors.ts'
import type { Message } from '../world/types.ts'
import { checkCommand, checkCommands } from './commands.ts'
import { checkMessage, type MessageForm } from './message.ts'
import { checkModal, type ModalForm } from './modal.ts'

/** Rules that the OpenAPI description can't express, by route. */
export function checkRules(route: string, incoming: Incoming): FormProblem[] {
  const { body, files } = incoming
  switch (route) {
    case 'POST /channels/{channel_id}/messages':
    case 'POST /webhooks/{webhook_id}/{webhook_token}':
      return checkMessage(body as MessageForm, files)
    case 'PATCH /channels/{channel_id}/messages/{message_id}':
    case 'PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original':
    case 'PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}':
      return checkMessage(body as MessageForm, files, existing(route, incoming))
    case 'POST /channels/{channel_id}/threads':
      return body.message ? under('message', checkMessage(body.message as MessageForm, files)) : []
    case 'POST /interactions/{interaction_id}/{interaction_token}/callback':
      return checkCallback(incoming)
    case 'GET /channels/{channel_id}/messages':
      return checkPage(incoming)
    case 'PUT /applications/{application_id}/commands':
    case 'PUT /applications/{application_id}/guilds/{guild_id}/commands':
      return checkCommands(body as never)
    case 'POST /applications/{application_id}/commands':
    case 'POST /applications/{application_id}/guilds/{guild_id}/commands':
      return checkCommand(body as never)
    default:
      return []
  }
}

const under = (field: string, problems: FormProblem[]): FormProblem[] =>
  problems.map((one) => ({ ...one, path: [field, ...one.path] }))

function checkCallback({ context, params, body, files }: Incoming): FormProblem[] {
  const form = body.data as MessageForm & ModalForm
  const interaction = context.interactions.find(params.interaction_id ?? '')
  if (interaction && !isPossible(interaction, Number(body.type))) {
    return [problem(['type'], 'INTERACTION_RESPONSE_TYPE_INVALID', 'This interaction is not answered like that')]
  }
  switch (body.type) {
    case InteractionResponseType.ChannelMessageWithSource:
      return under('data', checkMessage(form ?? {}, files))
    case InteractionResponseType.UpdateMessage:
      return under('data', checkMessage(form ?? {}, files, interaction?.message))
    case InteractionResponseType.Modal:
      return under('data', checkModal(form))
    default:
      return []
  }
}

const { Pong, DeferredMessageUpdate, UpdateMessage, ApplicationCommandAutocompleteResult, Modal } =
  InteractionResponseType

/** Only components can update a message, a form can't open a form, and only autocomplete returns choices. */
function isPossible({ type, message }: Interaction, answer: InteractionResponseType): boolean {
  const isTyping = type === InteractionType.ApplicationCommandAutocomplete
  if (isTyping || answer === ApplicationCommandAutocompleteResult) {
    return isTyping && answer === ApplicationCommandAutocompleteResult
  }
  if (answer === DeferredMessageUpdate || answer === UpdateMessage) return message !== undefined
  if (answer === Modal) return type !== InteractionType.ModalSubmit
  return answer !== Pong
}

function checkPage({ query }: Incoming): FormProblem[] {
  const limit = Number(query.get('limit') ?? 50)
  const isWhole = Number.isInteger(limit) && limit >= 1 && limit <= 100
  return isWhole ? [] : [problem(['limit'], 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.')]
}

function existing(route: string, { context, params }: Incoming): Message | undefined {
  if (route.startsWith('PATCH /channels')) {
    return context.world.findMessage(params.channel_id ?? '', params.message_id ?? '')
  }
  const interaction = context.interactions.findByToken(params.webhook_token ?? '')
  if (params.message_id === undefined) return interaction?.response
  return interaction && context.world.findMessage(interaction.channelId, params.message_id)
}
