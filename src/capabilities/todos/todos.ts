import type { Capability } from '../../turn/port/capability.ts'
import { remindersOf } from './reminder.ts'
import { todosOf } from './session-todos.ts'
import { todoRead } from './todo-read.ts'
import { todoWrite } from './todo-write.ts'

/** A todo list for each thread. */
export const todos: Capability = {
  name: 'todos',
  tools: [todoRead, todoWrite],
  context: ({ bot, lease }) => ({ todos: todosOf(bot.store, lease) }),
  reminders: remindersOf,
}
