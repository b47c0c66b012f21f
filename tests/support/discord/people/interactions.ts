import { ButtonStyle, ComponentType, InteractionType } from 'discord-api-types/v10'
import type { Context } from '../context.ts'
import type { FirstAnswer, Origin } from '../interactions/interactions.ts'
import { interactionPayload, resolvedPayload } from '../interactions/payloads.ts'
import { isSelect, placed } from '../rules/components.ts'
import type { Payload } from '../world/channel-payloads.ts'
import { canSee } from '../world/permissions.ts'
import type { Channel, Component, Message } from '../world/types.ts'

/** An action of a person that the bot has to respond to. */
export interface Asked {
  id: string
  /** The bot's first response; `failed` if it came too late. There is no need to await it. */
  answered: Promise<FirstAnswer>
}

/** Sends the event to the bot and starts the deadline. */
export function begin(context: Context, channel: Channel, origin: Origin, data: Payload): Asked {
  const { world, gateway, interactions } = context
  const interaction = interactions.begin(world.ids.next(), channel, origin)
  gateway.dispatch('INTERACTION_CREATE', interactionPayload(context, interaction, channel, data))
  return { id: interaction.id, answered: interaction.answered }
}

/** The message as this person sees it; throws if Discord would not show it. */
function reachable({ world }: Context, who: string, messageId: string): { message: Message; channel: Channel } {
  const user = world.user(who)
  const message = world.message(messageId)
  const channel = world.channel(message.channelId)
  const isForOther = message.ephemeralTo !== undefined && message.ephemeralTo !== user.id
  if (!canSee(world, channel, user.id) || isForOther) throw new Error(`${user.username} does not see that message.`)
  if (channel.thread?.archived) throw new Error('Nothing can be used in an archived thread.')
  return { message, channel }
}

function usable(message: Message, matches: (component: Component) => boolean, what: string): Component {
  const component = placed(message.components).find((one) => matches(one.component))?.component
  if (component === undefined) throw new Error(`There is no ${what} on that message.`)
  if (component.disabled) throw new Error(`${what} is disabled.`)
  return component
}

/** Clicks a button, by its custom id or its label. */
export function click(context: Context, who: string, messageId: string, button: string): Asked {
  const { message, channel } = reachable(context, who, messageId)
  const isIt = ({ type, custom_id: id, label }: Component) =>
    type === ComponentType.Button && (id === button || label === button)
  const { custom_id, id, style } = usable(message, isIt, `button ${button}`)
  if (style === ButtonStyle.Link) throw new Error(`${button} is a link.`)
  const origin = { type: InteractionType.MessageComponent, userId: context.world.user(who).id, message }
  return begin(context, channel, origin, { component_type: ComponentType.Button, custom_id, id })
}

/** Chooses in a select, by option values or by names or ids of people, roles or channels. */
export function select(context: Context, who: string, messageId: string, customId: string, values: string[]): Asked {
  const { message, channel } = reachable(context, who, messageId)
  const isIt = (component: Component) => isSelect(component) && component.custom_id === customId
  const component = usable(message, isIt, `select ${customId}`)
  const origin = { type: InteractionType.MessageComponent, userId: context.world.user(who).id, message }
  const chosen = chosenIn(context, component, values)
  return begin(context, channel, origin, {
    component_type: component.type,
    custom_id: customId,
    id: component.id,
    values: chosen,
    ...resolvedFor(context, channel, component, chosen),
  })
}

const resolvedFor = (context: Context, channel: Channel, { type }: Component, ids: string[]): Payload =>
  type === ComponentType.StringSelect ? {} : { resolved: resolvedPayload(context, channel, ids) }

/** The choice in Discord's format; throws where the client would not allow it. */
export function chosenIn({ world }: Context, component: Component, values: string[]): string[] {
  const { options, min_values: min, max_values: max, required } = component
  const least = required === false && values.length === 0 ? 0 : (min ?? 1)
  if (values.length < least || values.length > (max ?? 1)) {
    throw new Error(`${component.custom_id} takes ${least} to ${max ?? 1} values, not ${values.length}.`)
  }
  return values.map((value) => {
    switch (component.type) {
      case ComponentType.UserSelect:
        return world.user(value).id
      case ComponentType.RoleSelect:
        return world.role(value).id
      case ComponentType.ChannelSelect:
        return world.channel(value).id
      case ComponentType.MentionableSelect:
        return world.users.has(value) || world.roles.has(value) ? value : world.user(value).id
      default: {
        const option = options?.find((one) => one.value === value || one.label === value)
        if (option === undefined) throw new Error(`${component.custom_id} has no option ${value}.`)
        return option.value
      }
    }
  })
}
