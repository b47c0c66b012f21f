import { z } from 'zod'
import type { Todo } from '../../domain/session.ts'
import { defineTool } from '../../domain/tool.ts'
import type { TodosContext } from './context.ts'
import { todosWords } from './words.ts'

export const todoRead = defineTool({
  kind: 'run',
  name: 'todo_read',
  onDemand: true,
  description: 'Returns the to-do list.',
  input: z.strictObject({}),
  doing: () => todosWords.looking(),
  effect: 'read',
  repeatable: true,
  run: async (_input, { todos }: TodosContext) =>
    (await todos.read()).map(described).join('\n') || 'There are no todos.',
})

const described = ({ content, status, priority }: Todo, index: number): string =>
  `${index + 1}. [${status}, ${priority}] ${content}`
