import { z } from 'zod'
import { failureWays, type StepTask } from '../../domain/plan.ts'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { plansWords } from './words.ts'

const step = z.strictObject({
  what: z.string().trim().min(1).max(4_000).describe('What to do, complete in itself'),
  gives: z.string().trim().min(1).max(500).describe('What it must give'),
  needs: z
    .string()
    .max(4_000)
    .optional()
    .describe('What it needs to know from this conversation, which it doesn’t see'),
  after: z.array(z.int().min(1)).max(20).optional().describe('Numbers of earlier steps whose results it needs'),
  files: z.array(z.string().min(1)).max(20).optional(),
  tools: z.array(z.string().min(1)).max(20).optional(),
  agent: z.string().max(40).optional(),
  skills: z.array(z.string().min(1)).max(10).optional(),
  if_it_fails: z.enum(failureWays).optional().describe('try_again by default'),
  other_way: z
    .string()
    .max(4_000)
    .optional()
    .describe('For go_round: what to do instead; otherwise the step is left out'),
})

const input = z.strictObject({
  title: z.string().trim().min(1).max(200),
  confidence: z.int().min(0).max(100).describe('How sure you are that this is what is wanted, in percent'),
  one_by_one: z.boolean().optional().describe('Steps that don’t need each other run at the same time, unless true'),
  steps: z
    .array(step)
    .min(1)
    .max(20)
    .describe(
      'Numbered from 1. A subagent sees its own step and the results it needs. Start no work yourself; write the answer when the steps have ended',
    ),
})

export interface Proposal {
  title: string
  confidence: number
  oneByOne: boolean
  steps: StepTask[]
}

export interface PlansContext {
  plans: { make(proposal: Proposal): Promise<string>; end(): Promise<string> }
}

export const makePlan = defineTool<z.infer<typeof input>, PlansContext>({
  kind: 'run',
  name: 'make_plan',
  onDemand: true,
  onlyInThreads: true,
  description: 'Carries out a plan, each step by a subagent.',
  input,
  doing: ({ title }) => plansWords.planning({ title }),
  // It only plans: what a step does is judged when it does it.
  effect: 'read',
  // It is remembered which call made a plan.
  repeatable: true,
  handsOut: ({ steps }) => steps,
  run({ title, confidence, one_by_one = false, steps }, { plans }) {
    const late = steps.findIndex(({ after = [] }, place) => after.some((number) => number > place))
    if (late >= 0)
      throw new Failure(
        'bad_plan',
        `Step ${late + 1} needs the result of a step that doesn’t come before it.`,
        'Reorder them.',
      )
    const tasks = steps.map((one) => ({
      what: one.what,
      gives: one.gives,
      after: one.after ?? [],
      tools: one.tools ?? [],
      files: one.files ?? [],
      skills: one.skills ?? [],
      ifItFails: one.if_it_fails ?? ('try_again' as const),
      words: [],
      ...(one.needs !== undefined && { needs: one.needs }),
      ...(one.agent !== undefined && { agent: one.agent }),
      ...(one.other_way !== undefined && { otherWay: one.other_way }),
    }))
    return plans.make({ title, confidence, oneByOne: one_by_one, steps: tasks })
  },
})
