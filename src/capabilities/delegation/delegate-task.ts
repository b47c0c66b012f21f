import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { DelegationSettings } from './settings.ts'
import { delegationWords } from './words.ts'

/** The most steps of a subagent. */
const mostSteps = 50

const input = z.strictObject({
  task: z
    .string()
    .min(1)
    .max(20_000)
    .describe('What to do and what to report, complete in itself: the subagent sees nothing of this conversation'),
  max_steps: z.int().min(1).max(mostSteps).optional().describe('Rarely needed'),
  agent: z.string().min(1).max(40).optional().describe('Which agent does it; by default one like you'),
  files: z.array(z.string().min(1)).max(20).optional().describe('Paths of files that the task is about'),
})

export const delegateTask = defineTool<z.infer<typeof input>, { delegation: DelegationSettings }>({
  kind: 'child',
  name: 'delegate_task',
  onDemand: true,
  description:
    'Hands work that needs much reading to a subagent. It has its own context, the same files and tools, and no memory of this conversation. Several in one step run in parallel. Say in each task what the result must contain, and check it.',
  input,
  doing: ({ task }) => delegationWords.subagent({ task }),
  effect: 'read',
  repeatable: true,
  onlyInThreads: true,
  handsOut: ({ agent }) => [{ agent }],
  task: ({ task, max_steps, agent, files = [] }, { delegation }) => ({
    text: `This is your task:\n\n${task}`,
    title: task,
    agent,
    files,
    maxSteps: max_steps ?? delegation.steps,
    atOnce: delegation.atOnce,
  }),
})
