import { chooseModel } from '../../store/chosen-model.ts'
import { type Command, type CommandDeps, modelOf } from './command.ts'

/** What a slot is for. Those that the operator has not set up are told of. */
const slots: Record<string, string> = {
  base: 'answers',
  vision: 'sees images, and answers where it is chosen',
}

export const model: Command = {
  name: 'model',
  summary:
    'the model that answers in this thread; with a name, another one, here and in the next threads that you begin',
  argument: { name: 'slot', pattern: /^(base|vision|reasoning|code|chat)$/i },
  about: 'thread',
  async run({ argument, session, person, deps }) {
    const slot = argument.replace(/`/g, '').toLowerCase()
    if (slot === '')
      return [`This thread uses ${named(deps, modelOf(session, deps).slot)}.`, ...choices(deps)].join('\n')
    if (!deps.models.has(slot)) return [whyNot(slot), ...choices(deps)].join('\n')
    return {
      async act(tx) {
        await chooseModel(tx, session, person, slot)
        return `From my next answer on this thread uses ${named(deps, slot)}, and so do the next threads that you begin.`
      },
    }
  },
}

const named = ({ models }: CommandDeps, slot: string): string => `\`${slot}\` (${models.get(slot)?.model.name})`

const choices = (deps: CommandDeps): string[] => [
  'There are:',
  ...[...deps.models.keys()].map((slot) => `- ${named(deps, slot)} – ${slots[slot] ?? ''}`),
]

const whyNot = (slot: string): string =>
  slot in slots
    ? `No model is configured as \`${slot}\`: whoever runs the bot can set MODEL_${slot.toUpperCase()}_ID.`
    : `There is no model \`${slot.slice(0, 30)}\`.`
