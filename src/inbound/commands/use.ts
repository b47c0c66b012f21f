import { isSlotName, slotNames } from '../../kit/model/model.ts'
import { chooseModelHere } from '../../store/chosen-model.ts'
import type { Command } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'
import { choices, named, whyNot } from './model.ts'

export const use: Command = {
  name: 'use',
  summary: inboundWords.useSummary(),
  argument: { name: 'slot', pattern: new RegExp(`^\`?(auto|${slotNames.join('|')})\`?$`, 'i') },
  about: 'thread',
  async run({ argument, session, deps }) {
    const slot = argument.replace(/`/g, '').toLowerCase()
    if (slot === 'auto') {
      return {
        async act(tx) {
          await chooseModelHere(tx, session.id, undefined)
          return inboundWords.modelChosenByContent()
        },
      }
    }
    if (!isSlotName(slot) || !deps.models.has(slot)) {
      const why = slot === '' ? inboundWords.whichModel() : whyNot(slot)
      return [why, ...choices(deps)].join('\n')
    }
    return {
      async act(tx) {
        await chooseModelHere(tx, session.id, slot)
        return inboundWords.threadModelChosen({ model: named(deps, slot) })
      },
    }
  },
}
