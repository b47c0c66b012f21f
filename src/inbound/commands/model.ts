import { isSlotName, type SlotName, slotNames } from '../../kit/model/model.ts'
import { chooseModel } from '../../store/chosen-model.ts'
import { type Command, type CommandDeps, modelOf } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'

/** What each slot is for, to explain the ones the operator hasn't set up. */
const slots: Record<SlotName, () => string> = {
  base: inboundWords.forBase,
  reasoning: inboundWords.forReasoning,
  vision: inboundWords.forVision,
  code: inboundWords.forCode,
  chat: inboundWords.forChat,
}

export const model: Command = {
  name: 'model',
  summary: inboundWords.modelSummary(),
  argument: { name: 'slot', pattern: new RegExp(`^(auto|${slotNames.join('|')})$`, 'i') },
  about: 'thread',
  async run({ argument, session, person, deps }) {
    const slot = argument.replace(/`/g, '').toLowerCase()
    if (slot === '')
      return [inboundWords.threadUses({ model: named(deps, modelOf(session, deps).slot) }), ...choices(deps)].join('\n')
    if (slot === 'auto') {
      return {
        async act(tx) {
          await chooseModel(tx, session, person, undefined)
          return inboundWords.modelsChosenByContent()
        },
      }
    }
    if (!isSlotName(slot) || !deps.models.has(slot)) return [whyNot(slot), ...choices(deps)].join('\n')
    return {
      async act(tx) {
        await chooseModel(tx, session, person, slot)
        return inboundWords.channelModelChosen({ model: named(deps, slot) })
      },
    }
  },
}

export const named = ({ models }: CommandDeps, slot: SlotName): string =>
  `\`${slot}\` (${models.get(slot)?.model.name})`

export const choices = (deps: CommandDeps): string[] => [
  inboundWords.available(),
  ...[...deps.models.keys()].map(
    (slot) => `- ${inboundWords.modelFor({ model: named(deps, slot), use: slots[slot]() })}`,
  ),
]

export const whyNot = (slot: string): string =>
  isSlotName(slot)
    ? inboundWords.modelNotSetUp({ slot, setting: `MODEL_${slot.toUpperCase()}_ID` })
    : inboundWords.noSuchModel({ slot: slot.slice(0, 30) })
