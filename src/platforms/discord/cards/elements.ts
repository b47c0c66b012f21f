import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIComponentInMessageActionRow,
  type APIMessageTopLevelComponent,
  type APISeparatorComponent,
  type APIStringSelectComponent,
  type APITextDisplayComponent,
  ButtonStyle,
  ComponentType,
} from 'discord.js'

export type CardContainer = Extract<APIMessageTopLevelComponent, { type: 17 }>

export const text = (content: string): APITextDisplayComponent => ({ type: ComponentType.TextDisplay, content })

export const line = (): APISeparatorComponent => ({ type: ComponentType.Separator, divider: true })

export const row = (
  ...components: APIComponentInMessageActionRow[]
): APIActionRowComponent<APIComponentInMessageActionRow> => ({ type: ComponentType.ActionRow, components })

type Style = Exclude<ButtonStyle, ButtonStyle.Link | ButtonStyle.Premium>

export const button = (
  label: string,
  id: string,
  style: Style = ButtonStyle.Secondary,
): APIButtonComponentWithCustomId => ({
  type: ComponentType.Button,
  style,
  label,
  custom_id: id,
})

export const select = (fields: Omit<APIStringSelectComponent, 'type'>): APIStringSelectComponent => ({
  type: ComponentType.StringSelect,
  ...fields,
})

export const container = (color: number, components: CardContainer['components']): CardContainer => ({
  type: ComponentType.Container,
  accent_color: color,
  components,
})

export const colors = { blue: 0x5865f2, yellow: 0xf0b232, red: 0xda373c, green: 0x23a55a, grey: 0x80848e }

/** Small print. */
export const small = (words: string): string => `-# ${words}`

export const lines = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n')
