import { z } from 'zod'
import type { QuestionOption } from '../domain/question.ts'

// What else a model says of an option is passed over: a question that is asked beats one that is refused.
const option = z.object({
  id: z.string().min(1).max(75).optional(),
  label: z.string().min(1).max(75).describe('1 to 5 words'),
  description: z.string().optional(),
  estimated_time: z.string().optional(),
  estimated_cost: z.string().optional(),
  recommended: z.boolean().optional().describe('At most one'),
})

/** Options as the model gives them; a plain string is a label. */
export const optionFields = z.array(z.union([z.string().min(1).max(75), option]))

/** Gives each option the id that a button carries: the model's own where these tell the options apart. */
export function toOptions(given: z.infer<typeof optionFields>): QuestionOption[] {
  const options = given.map((one) => (typeof one === 'string' ? { label: one } : one))
  const own = options.map((option) => ('id' in option ? option.id : undefined))
  const distinct = own.every((id) => id !== undefined) && new Set(own).size === own.length
  const best = options.findIndex((option) => 'recommended' in option && option.recommended)
  return options.map((option, index) => ({
    ...option,
    id: (distinct && own[index]) || `option_${index + 1}`,
    recommended: index === best || undefined,
  }))
}
