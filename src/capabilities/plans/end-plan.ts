import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { PlansContext } from './make-plan.ts'
import { meanwhileWords, plansWords } from './words.ts'

const input = z.strictObject({})

/** The tool with which the model ends a plan because of what people said while it ran. */
export const endPlan = defineTool<z.infer<typeof input>, PlansContext>({
  kind: 'run',
  name: 'end_plan',
  unlisted: true,
  onlyInThreads: true,
  stays: true,
  description: meanwhileWords.endPlan,
  input,
  doing: () => plansWords.ending(),
  effect: 'read',
  repeatable: true,
  run: (_, { plans }) => plans.end(),
})
