import { z } from 'zod'
import type { QuestionOption } from '../domain/question.ts'

const option = z.strictObject({
  label: z.string().min(1).max(75).describe('1 to 5 words'),
  description: z.string().optional(),
  estimated_time: z.string().optional(),
  estimated_cost: z.string().optional(),
  recommended: z.boolean().optional().describe('At most one'),
})

/** Options as the model gives them; a plain string is a label. */
export const optionFields = z.array(z.union([z.string().min(1).max(75), option]))

/** Gives each option the id that a button carries. */
export const toOptions = (options: z.infer<typeof optionFields>): QuestionOption[] =>
  options.map((given, index) => ({
    id: `option_${index + 1}`,
    ...(typeof given === 'string' ? { label: given } : given),
  }))
