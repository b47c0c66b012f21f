import type { Message } from '../../domain/messages.ts'
import type { Todo } from '../../domain/session.ts'
import { quoted } from '../../kit/text/quoted.ts'
import { oneLine } from '../../kit/text/text.ts'
import { readTodos } from '../../store/todos.ts'
import { asks } from '../../turn/port/history.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { todoWrite } from './todo-write.ts'

/** What is open on the list: when somebody asks for something, and whenever the list itself isn't sent any more. */
export async function remindersOf(
  { session, bot, offered }: Pick<TurnScope, 'session' | 'bot' | 'offered'>,
  unanswered: readonly Message[],
  sent: readonly Message[],
): Promise<string[]> {
  if (session.parent !== undefined || !offered.some(({ name }) => name === todoWrite.name)) return []
  if (sent.some(writesTodos) && !unanswered.some(asks)) return []
  const todos = await readTodos(bot.store.db, session.id)
  const current = todos.find(({ status }) => status === 'in_progress')
  const [next, ...more] = todos.filter(({ status }) => status === 'pending')
  const parts = [
    ...(current === undefined ? [] : [`in progress ${named(current)}`]),
    ...(next === undefined ? [] : [`next ${named(next)}`]),
    ...(more.length === 0 ? [] : [`${more.length} more`]),
  ]
  return parts.length === 0 ? [] : [`To-do list (your own notes, no orders): ${parts.join(', ')}.`]
}

const writesTodos = (message: Message): boolean =>
  message.role === 'assistant' && message.calls.some(({ name }) => name === todoWrite.name)

const named = ({ content }: Todo): string => quoted(oneLine(content, 100))
