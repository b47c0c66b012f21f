import type { Config } from '../../config/config.ts'
import { type Findings, fine, mind } from '../../domain/finding.ts'
import { type AgentsSettings, agentsOn } from './settings.ts'
import { agentsWords } from './words.ts'

/** What `bobbin doctor` says about them. */
export async function* checksOf({ model, agent }: Config, settings: AgentsSettings): Findings {
  const all = agentsOn(settings)
  yield fine(`${all.length} agents: ${all.map(({ name }) => name).join(', ') || 'none'}.`)
  for (const { name, slot, steps, triggers } of all) {
    if (slot !== undefined && slot !== 'base' && model[slot] === undefined)
      yield mind(`${name} is for the model in the slot ${slot}, which isn’t set up.`, agentsWords.slotMissingRemedy())
    if (steps > agent.maxSteps)
      yield mind(`${name} has ${steps} steps, but a turn ends after ${agent.maxSteps}.`, 'See agent.max_steps.')
    if (triggers.length > 0 && !settings.byWords)
      yield mind(`${name} has triggers, but by_words is false.`, agentsWords.triggersOffRemedy())
  }
}
