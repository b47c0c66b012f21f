import { z } from 'zod'
import { type ChildTask, defineTool, type TaskEnd } from '../../domain/tool.ts'
import { plansWords } from './words.ts'

const input = z.strictObject({
  step: z.int().min(1),
  attempt: z.int().min(1),
  what: z.string(),
  agent: z.string().optional(),
  skills: z.array(z.string()).optional(),
})

export interface StepContext {
  planStep: {
    /** Undefined while it has to wait. Throws `no_step`. */
    begin(step: number): Promise<ChildTask | 'taken-back' | undefined>
    end(step: number, end: TaskEnd): Promise<void>
  }
}

/** The tool with which the program has a step of a plan done. */
export const planStep = defineTool<z.infer<typeof input>, StepContext>({
  kind: 'child',
  name: 'plan_step',
  unlisted: true,
  onlyInThreads: true,
  stays: true,
  description: 'Carries out a step of the plan. The program calls it; you don’t.',
  input,
  doing: ({ step, what }) => plansWords.step({ step, what }),
  effect: 'read',
  repeatable: true,
  handsOut: ({ agent, skills }) => [{ agent, skills }],
  task: ({ step }, { planStep }) => planStep.begin(step),
  ended: ({ step }, end, { planStep }) => planStep.end(step, end),
})
