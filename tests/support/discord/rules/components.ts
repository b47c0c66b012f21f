import { ButtonStyle, ComponentType } from 'discord-api-types/v10'
import { type FormProblem, problem } from '../rest/errors.ts'
import type { Component } from '../world/types.ts'

export interface Placed {
  component: Component
  path: (string | number)[]
}

/** Every component of a tree, the outer before the inner. */
export function placed(components: Component[], path: (string | number)[] = ['components']): Placed[] {
  return components.flatMap((component, index) => within(component, [...path, index]))
}

const within = (component: Component, path: (string | number)[]): Placed[] => [
  { component, path },
  ...(component.components ? placed(component.components, [...path, 'components']) : []),
  ...(component.component ? within(component.component, [...path, 'component']) : []),
  ...(component.accessory ? within(component.accessory, [...path, 'accessory']) : []),
]

/** Lengths count code points, as Discord's Python does. */
export const lengthOf = (text: string): number => [...text].length

export const isSelect = ({ type }: Component): boolean =>
  type === ComponentType.StringSelect || (type >= ComponentType.UserSelect && type <= ComponentType.ChannelSelect)

/** Rules for components in both messages and modals. */
export function checkComponents(all: Placed[]): FormProblem[] {
  return [
    ...duplicates(
      all.filter(({ component }) => component.custom_id),
      ({ component }) => component.custom_id,
      'custom_id',
      'COMPONENT_CUSTOM_ID_DUPLICATED',
      'Component custom id cannot be duplicated',
    ),
    ...duplicates(
      all.filter(({ component }) => component.id),
      ({ component }) => component.id,
      'id',
      'COMPONENT_ID_DUPLICATED',
      'Component id cannot be duplicated',
    ),
    ...all.flatMap(checkOptions),
  ]
}

function duplicates(
  all: Placed[],
  keyOf: (one: Placed) => unknown,
  field: string,
  code: string,
  message: string,
): FormProblem[] {
  const seen = new Set<unknown>()
  return all.flatMap((one) => {
    const key = keyOf(one)
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [problem([...one.path, field], code, message)]
  })
}

function checkOptions({ component, path }: Placed): FormProblem[] {
  const { options, min_values: min, max_values: max } = component
  const problems: FormProblem[] = []
  if (options) {
    const values = options.map(({ value }) => value)
    if (new Set(values).size < values.length) {
      const message = 'The specified option value is already used'
      problems.push(problem([...path, 'options'], 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', message))
    }
    if (max != null && max > options.length) {
      problems.push(problem([...path, 'max_values'], 'NUMBER_TYPE_MAX', `Must be ${options.length} or fewer`))
    }
  }
  if (min != null && max != null && min > max) {
    problems.push(problem([...path, 'min_values'], 'NUMBER_TYPE_MAX', 'Must not be more than max_values'))
  }
  return problems
}

/** A row holds buttons or one select; a button has a link or a custom id, and a label or an emoji. */
export function checkInteractive({ component, path }: Placed): FormProblem[] {
  if (component.type === ComponentType.ActionRow) {
    const inner = component.components ?? []
    if (inner.some(isSelect) && inner.length > 1) {
      const message = 'The specified component exceeds the maximum width'
      return [problem([...path, 'components', 1], 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', message)]
    }
  }
  return component.type === ComponentType.Button ? checkButton(component, path) : []
}

function checkButton(component: Component, path: (string | number)[]): FormProblem[] {
  const { style, url, custom_id: customId, label, emoji } = component
  const problems: FormProblem[] = []
  if (style === ButtonStyle.Premium) return problems
  if (!label && !emoji) {
    problems.push(problem(path, 'BUTTON_COMPONENT_INVALID_LABEL', 'A button needs a label or an emoji'))
  }
  if (style === ButtonStyle.Link) {
    if (!url) problems.push(problem([...path, 'url'], 'BASE_TYPE_REQUIRED', 'A url is required'))
    if (customId) {
      const message = 'A custom id and url cannot both be specified'
      problems.push(problem(path, 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE', message))
    }
    return problems
  }
  if (!customId) problems.push(problem([...path, 'custom_id'], 'BASE_TYPE_REQUIRED', 'A custom id is required'))
  if (url) problems.push(problem([...path, 'url'], 'BASE_TYPE_BAD_VALUE', 'Only link buttons have a url'))
  return problems
}
