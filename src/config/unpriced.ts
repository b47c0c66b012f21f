import { slotNames } from '../kit/model/model.ts'
import type { Config } from './config.ts'

/** The models whose calls aren't counted, because nobody knows what they cost. */
export function unpricedModels(model: Config['model']): string[] {
  const slots = [...slotNames, 'embedding' as const].map((name) => model[name])
  return [...new Set(slots.flatMap((slot) => (slot && !slot.price ? [slot.id] : [])))]
}
