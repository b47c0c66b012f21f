import {
  type APIComponentInLabel,
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  type APISelectMenuOption,
  ComponentType,
  TextInputStyle,
} from 'discord.js'
import type { RemoteFile } from '../../../domain/chat.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { toFile } from '../heard/translate.ts'

export type Form = APIModalInteractionResponseCallbackData

/** The most fields and texts in a form. */
export const mostFields = 5

export const titled = (words: string): string => oneLine(words, 45)

export const label = (words: string, component: APIComponentInLabel, description?: string): APILabelComponent => ({
  type: ComponentType.Label,
  label: oneLine(words, 45) || '?',
  ...(description !== undefined && description !== '' && { description: oneLine(description, 100) }),
  component,
})

export const paragraph = (id: string, required: boolean, longest: number): APIComponentInLabel => ({
  type: ComponentType.TextInput,
  custom_id: id,
  style: TextInputStyle.Paragraph,
  required,
  max_length: longest,
})

/** A list from which one has to be chosen, or several may be. */
export const list = (
  id: string,
  options: APISelectMenuOption[],
  { required = true, multiple = false }: { required?: boolean; multiple?: boolean } = {},
): APIComponentInLabel => ({
  type: ComponentType.StringSelect,
  custom_id: id,
  required,
  min_values: required ? 1 : 0,
  max_values: multiple ? options.length : 1,
  options,
})

/** The values of a submitted form, by field id. */
export interface Filled {
  text(id: string): string
  chosen(id: string): string[]
  files(id: string): RemoteFile[]
}

export function readForm({ data }: APIModalSubmitInteraction): Filled {
  const given = new Map<string, string[]>()
  for (const component of data.components.flatMap(fieldsIn)) {
    if ('values' in component) given.set(component.custom_id, component.values)
    else if ('value' in component && typeof component.value === 'string') {
      given.set(component.custom_id, [component.value])
    }
  }
  return {
    text: (id) => given.get(id)?.[0]?.trim() ?? '',
    chosen: (id) => given.get(id) ?? [],
    files: (id) =>
      (given.get(id) ?? []).flatMap((file) => {
        const attachment = data.resolved?.attachments?.[file]
        return attachment === undefined ? [] : toFile(attachment)
      }),
  }
}

/** Rows are how forms used to be made; some servers know nothing else. */
const fieldsIn = (part: APIModalSubmitInteraction['data']['components'][number]) => {
  if (part.type === ComponentType.Label) return [part.component]
  return part.type === ComponentType.ActionRow ? part.components : []
}
