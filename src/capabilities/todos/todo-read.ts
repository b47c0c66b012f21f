import { z } from 'zod'
import type { Todo } from '../../domain/session.ts'
import { defineTool } from '../../domain/tool.ts'
import type { TodosContext } from './context.ts'

export const todoRead = defineTool({
  kind: 'run',
  name: 'todo_read',
  onDemand: true,
  description: 'The list of to-dos.',
  input: z.strictObject({}),
  doing: () => 'Looking at the to-do list',
  effect: 'read',
  repeatable: true,
  run: async (_input, { todos }: TodosContext) =>
    (await todos.read()).map(described).join('\n') || 'There are no todos.',
})

const described = ({ content, status, priority }: Todo, index: number): string =>
  `${index + 1}. [${status}, ${priority}] ${content}`
