import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { PlanningContext } from './context.ts'
import { planningWords } from './words.ts'

const input = z.strictObject({
  plan: z
    .string()
    .min(1)
    .max(8_000)
    .describe('What you will do, step by step, in Markdown, for the person who decides'),
})

export const planExit = defineTool<z.infer<typeof input>, PlanningContext>({
  kind: 'run',
  name: 'plan_exit',
  onDemand: true,
  onlyInThreads: true,
  description: 'Proposes a plan to a person. If they agree, carry it out.',
  input,
  doing: () => planningWords.proposing(),
  effect: 'write',
  stays: true,
  repeatable: true,
  inPlanMode: true,
  confirmed: true,
  inspect: ({ plan }) => ({ subjects: [plan], unclear: [], settled: false }),
  async run(_, { planning }) {
    await planning.setMode('act')
    return 'Plan mode is off. Carry out the plan as it was agreed to; each call still needs the approval it always needs.'
  },
})
