import { ComponentType } from 'discord-api-types/v10'
import { type FormProblem, problem } from '../rest/errors.ts'
import type { Component } from '../world/types.ts'
import { checkComponents, placed } from './components.ts'

export interface ModalForm {
  custom_id: string
  title: string
  components: Component[]
}

const maxModalComponents = 5

/** Rules for modals that the OpenAPI description can't express. */
export function checkModal({ components }: ModalForm): FormProblem[] {
  const all = placed(components)
  const problems = checkComponents(all)
  if (components.length > maxModalComponents) {
    problems.push(problem(['components'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.'))
  }
  for (const { component, path } of all) {
    if (component.disabled) {
      problems.push(problem([...path, 'disabled'], 'COMPONENT_DISABLED_IN_MODAL', 'Nothing is disabled in a modal'))
    }
    if (component.min_values === 0 && component.required !== false) {
      const message = 'Must be at least 1 unless required is false'
      problems.push(problem([...path, 'min_values'], 'NUMBER_TYPE_MIN', message))
    }
    const { type, value, max_length: maxLength } = component
    const prefilled = type === ComponentType.TextInput && typeof value === 'string' ? value.length : 0
    if (prefilled > Number(maxLength ?? 4_000)) {
      problems.push(problem([...path, 'value'], 'BASE_TYPE_MAX_LENGTH', `Must be ${maxLength} or fewer in length.`))
    }
  }
  return problems
}
