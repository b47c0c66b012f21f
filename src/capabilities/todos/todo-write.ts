import { z } from 'zod'
import { todoPriorities, todoStatuses } from '../../domain/session.ts'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { counted } from '../../kit/text/shown.ts'
import type { TodosContext } from './context.ts'
import { todosWords } from './words.ts'

const todo = z.strictObject({
  content: z.string().trim().min(1).max(500),
  status: z.enum(todoStatuses),
  priority: z.enum(todoPriorities).default('medium'),
})

const input = z.strictObject({
  todos: z.array(todo).max(100).describe('The whole list, in order'),
})

export const todoWrite = defineTool({
  kind: 'run',
  name: 'todo_write',
  description: 'Replaces the to-do list. For work of three steps or more; at most one is in_progress.',
  input,
  doing: () => todosWords.updating(),
  effect: 'write',
  inPlanMode: true,
  repeatable: true,
  run: async (list, { todos }: TodosContext) => {
    const count = (wanted: string) => list.todos.filter(({ status }) => status === wanted).length
    const active = count('in_progress')
    if (active > 1) {
      const remedy = 'Mark the one you are working on, and the others as pending or completed.'
      throw new Failure('bad_todos', `${active} todos are in_progress; only one may be.`, remedy)
    }
    await todos.write(list.todos)
    const counts = todoStatuses.map((status) => `${count(status)} ${status}`).join(', ')
    return `${counted(list.todos.length, 'todo')}: ${counts}.`
  },
})
