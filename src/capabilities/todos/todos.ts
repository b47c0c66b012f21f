import type { Capability } from '../../turn/capability.ts'
import { todosOf } from './session-todos.ts'
import { todoRead } from './todo-read.ts'
import { todoWrite } from './todo-write.ts'

/** A todo list for each thread. */
export const todos: Capability = {
  name: 'todos',
  tools: [todoRead, todoWrite],
  prompt: () => [{ name: 'To-do list', text: 'For work of several steps, keep a list with todo_write.' }],
  context: ({ bot, lease }) => ({ todos: todosOf(bot.store, lease) }),
}
