import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { PlanningContext } from './context.ts'
import { planningWords } from './words.ts'

const input = z.strictObject({
  why: z.string().min(1).max(500).describe('Why planning first is better, for the person who decides'),
})

export const planEnter = defineTool<z.infer<typeof input>, PlanningContext>({
  kind: 'run',
  name: 'plan_enter',
  onDemand: true,
  onlyInThreads: true,
  description:
    'Asks to plan first. For large or risky work: in plan mode nothing can be changed until a person agrees to the plan.',
  input,
  doing: () => planningWords.planningFirst(),
  effect: 'write',
  repeatable: true,
  inPlanMode: true,
  confirmed: true,
  inspect: ({ why }) => ({ subjects: [why], unclear: [], settled: false }),
  async run(_, { planning }) {
    await planning.setMode('plan')
    return 'Plan mode is on. Look at what you need, then call plan_exit with the plan.'
  },
})
