import { ApplicationCommandType } from 'discord-api-types/v10'
import { type FormProblem, problem } from '../rest/errors.ts'
import { lengthOf } from './components.ts'

export interface CommandForm {
  name: string
  description?: string | null
  type?: number | null
  options?: OptionForm[] | null
}

interface OptionForm {
  name: string
  description?: string
  required?: boolean | null
  choices?: { name: string; value: unknown }[] | null
  options?: OptionForm[] | null
}

/** The limit for each type: slash commands, and commands in the context menus of people and messages. */
const most: Record<number, number> = { 1: 100, 2: 15, 3: 15 }
const maxCommandText = 8_000
const slashName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

const typeOf = ({ type }: CommandForm): number => type ?? ApplicationCommandType.ChatInput

/** A whole list, as a bulk overwrite sends it. */
export function checkCommands(commands: CommandForm[]): FormProblem[] {
  const problems = commands.flatMap((command, index) =>
    checkCommand(command).map((one) => ({ ...one, path: [index, ...one.path] })),
  )
  for (const [type, limit] of Object.entries(most)) {
    if (commands.filter((one) => typeOf(one) === Number(type)).length > limit) {
      problems.push(problem([], 'APPLICATION_COMMAND_TOO_MANY', `Maximum number of commands reached (${limit})`))
    }
  }
  const keys = commands.map((one) => `${typeOf(one)} ${one.name}`)
  for (const [index, key] of keys.entries()) {
    if (keys.indexOf(key) === index) continue
    const message = 'Application command names must be unique'
    problems.push(problem([index], 'APPLICATION_COMMANDS_DUPLICATE_NAME', message))
  }
  return problems
}

export function checkCommand(command: CommandForm): FormProblem[] {
  const problems: FormProblem[] = []
  const { name, description, options } = command
  if (typeOf(command) === ApplicationCommandType.ChatInput) {
    if (!slashName.test(name) || name !== name.toLowerCase()) {
      problems.push(problem(['name'], 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid'))
    }
    if (!description) problems.push(problem(['description'], 'BASE_TYPE_REQUIRED', 'This field is required'))
  } else if (description || options?.length) {
    const message = 'Context menu commands have no description and no options'
    problems.push(problem([], 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_CANNOT_SET', message))
  }
  if (textLength(command) > maxCommandText) {
    const message = `Command exceeds maximum size (${maxCommandText})`
    problems.push(problem([], 'APPLICATION_COMMAND_TOO_LARGE', message))
  }
  return [...problems, ...checkOrder(options ?? [], ['options'])]
}

/** Required options come before the others. */
function checkOrder(options: OptionForm[], path: (string | number)[]): FormProblem[] {
  return options.flatMap((option, index) => {
    const inner = checkOrder(option.options ?? [], [...path, index, 'options'])
    if (!option.required || !options.slice(0, index).some(({ required }) => !required)) return inner
    const message = 'Required options must be placed before non-required options'
    return [problem([...path, index], 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', message), ...inner]
  })
}

const textLength = ({ name, description, options }: CommandForm | OptionForm): number =>
  lengthOf(name) +
  lengthOf(description ?? '') +
  (options ?? []).reduce((sum, option) => sum + textLength(option) + choicesLength(option), 0)

const choicesLength = ({ choices }: OptionForm): number =>
  (choices ?? []).reduce((sum, { name, value }) => sum + lengthOf(name) + lengthOf(String(value)), 0)
