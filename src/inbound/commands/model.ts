import { chooseModel } from '../../store/chosen-model.ts'
import { type Command, type CommandDeps, modelOf } from '../../turn/command.ts'

/** What each slot is for, to explain the ones the operator hasn't set up. */
const slots: Record<string, string> = {
  base: 'answers',
  vision: 'looks at images, and answers in threads that choose it',
}

export const model: Command = {
  name: 'model',
  summary: 'shows the model that answers in this thread; with a name, changes it, here and in threads you start later',
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
        return `My next answer here will come from ${named(deps, slot)}. Threads you start later will use it too.`
      },
    }
  },
}

const named = ({ models }: CommandDeps, slot: string): string => `\`${slot}\` (${models.get(slot)?.model.name})`

const choices = (deps: CommandDeps): string[] => [
  'Available:',
  ...[...deps.models.keys()].map((slot) => `- ${named(deps, slot)} – ${slots[slot] ?? ''}`),
]

const whyNot = (slot: string): string =>
  slot in slots
    ? `The \`${slot}\` model isn't set up. Whoever runs the bot can set MODEL_${slot.toUpperCase()}_ID.`
    : `There's no model called \`${slot.slice(0, 30)}\`.`
