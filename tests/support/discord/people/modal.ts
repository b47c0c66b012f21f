import { ComponentType, InteractionType } from 'discord-api-types/v10'
import type { Context } from '../context.ts'
import { resolvedPayload } from '../interactions/payloads.ts'
import { placed } from '../rules/components.ts'
import type { ModalForm } from '../rules/modal.ts'
import type { Payload } from '../world/channel-payloads.ts'
import { attachmentPayload } from '../world/message-payloads.ts'
import type { Channel, Component } from '../world/types.ts'
import { type Asked, begin, chosenIn } from './interactions.ts'
import { type PersonFile, upload } from './messages.ts'

/** What somebody enters: text or one choice, several choices, a tick, files. */
export type ModalValue = string | string[] | boolean | PersonFile[]

/** The form that somebody has open, as the bot sent it. */
export const openModal = ({ world, interactions }: Context, who: string): ModalForm | undefined =>
  interactions.openModals.get(world.user(who).id)?.modal

/** Fills in the open form by custom id and submits it; throws where Discord's client would refuse. */
export function submitModal(context: Context, who: string, values: Record<string, ModalValue>): Asked {
  const { world, interactions } = context
  const userId = world.user(who).id
  const open = interactions.openModals.get(userId)
  if (open === undefined) throw new Error(`No form is open before ${who}.`)
  const { modal, from } = open
  const fields = placed(modal.components).map(({ component }) => component)
  for (const name of Object.keys(values)) {
    if (!fields.some((field) => field.custom_id === name)) throw new Error(`The form has no field ${name}.`)
  }
  const channel = world.channel(from.channelId)
  const filling: Filling = { context, channel, values, resolved: {}, nextId: 1 }
  const components = modal.components.map((component) => fill(filling, component))
  interactions.openModals.delete(userId)
  const { message } = from
  const origin = { type: InteractionType.ModalSubmit, userId, from, ...(message && { message }) }
  const { resolved } = filling
  const data = { custom_id: modal.custom_id, components }
  return begin(context, channel, origin, Object.keys(resolved).length > 0 ? { ...data, resolved } : data)
}

interface Filling {
  context: Context
  channel: Channel
  values: Record<string, ModalValue>
  resolved: Payload
  nextId: number
}

function fill(filling: Filling, component: Component): Payload {
  const { type } = component
  const id = component.id || filling.nextId++
  if (component.component) return { type, id, component: fill(filling, component.component) }
  if (component.components) return { type, id, components: component.components.map((one) => fill(filling, one)) }
  if (component.custom_id == null) return { type, id }
  return { type, id, custom_id: component.custom_id, ...entered(filling, component) }
}

function entered(filling: Filling, component: Component): Payload {
  const { context, channel } = filling
  const value = filling.values[component.custom_id ?? '']
  // Untouched fields keep the bot's default.
  const chosen = component.options?.filter((option) => option.default === true).map((option) => option.value)
  const list = [value ?? chosen ?? []].flat() as (string | PersonFile)[]
  const isRequired = component.required !== false
  switch (component.type) {
    case ComponentType.Checkbox:
      return { value: value === true || (value === undefined && component.default === true) }
    case ComponentType.TextInput:
      return { value: textFor(component, value as string | undefined) }
    case ComponentType.RadioGroup: {
      if (list.length === 0 && !isRequired) return { value: null }
      return { value: chosenIn(context, component, list as string[])[0] }
    }
    case ComponentType.CheckboxGroup: {
      const most = component.max_values ?? component.options?.length ?? 1
      return { values: chosenIn(context, { ...component, max_values: most }, list as string[]) }
    }
    case ComponentType.FileUpload:
      return { values: uploadsFor(filling, component, list as PersonFile[]) }
    default: {
      const ids = chosenIn(context, component, list as string[])
      if (component.type !== ComponentType.StringSelect) merge(filling, resolvedPayload(context, channel, ids))
      return { values: ids }
    }
  }
}

function textFor(component: Component, value: string | undefined): string {
  const text = value ?? String(component.value ?? '')
  const least = component.required === false && text === '' ? 0 : Math.max(Number(component.min_length ?? 0), 1)
  const most = Number(component.max_length ?? 4_000)
  if ((component.required !== false && text.length < least) || text.length > most) {
    throw new Error(`${component.custom_id} takes ${least} to ${most} characters, not ${text.length}.`)
  }
  return text
}

function uploadsFor(filling: Filling, component: Component, files: PersonFile[]): string[] {
  const { context, channel } = filling
  const least = component.required === false ? 0 : (component.min_values ?? 1)
  const most = component.max_values ?? 1
  if (files.length < least || files.length > most) {
    throw new Error(`${component.custom_id} takes ${least} to ${most} files, not ${files.length}.`)
  }
  return files.map((file) => {
    const attachment = upload(context, channel.id, file, true)
    merge(filling, { attachments: { [attachment.id]: attachmentPayload(context.cdn, attachment) } })
    return attachment.id
  })
}

function merge({ resolved }: Filling, more: Payload): void {
  for (const [group, entries] of Object.entries(more)) {
    resolved[group] = { ...(resolved[group] as object | undefined), ...(entries as object) }
  }
}
