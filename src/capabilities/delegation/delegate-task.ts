import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { DelegationSettings } from './settings.ts'

/** A1: the most steps of a subagent. */
const mostSteps = 50

const input = z.strictObject({
  task: z
    .string()
    .min(1)
    .max(20_000)
    .describe('What to do and what to report, complete in itself: the subagent sees nothing of this conversation'),
  max_steps: z.int().min(1).max(mostSteps).optional().describe('15 by default'),
  files: z.array(z.string().min(1)).max(20).optional().describe('Paths of files that the task is about'),
})

export const delegateTask = defineTool<z.infer<typeof input>, { delegation: DelegationSettings }>({
  kind: 'child',
  name: 'delegate_task',
  description:
    'Gives a part of the work to a subagent with a context of its own, and returns its result. It has the same files and tools, and no memory of this conversation. Call it several times in one step for parts that do not depend on each other: they run side by side.',
  input,
  effect: 'read',
  repeatable: true,
  onlyInThreads: true,
  task: ({ task, max_steps, files = [] }, { delegation }) => ({
    text: `This is your task:\n\n${task}`,
    files,
    maxSteps: max_steps ?? delegation.steps,
    atOnce: delegation.atOnce,
  }),
})
