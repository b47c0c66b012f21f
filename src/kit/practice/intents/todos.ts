import { callOnce, type Intent } from '../situation.ts'

export const todos: Intent = {
  name: 'todos',
  matches: (text) => /^(?:show|list|read|what(?:'s| is) on)\b.*\bto-?dos?\b|^(?:显示|列出|查看).*待办/i.test(text),
  next: (situation) => callOnce(situation, { name: 'todo_read', input: {} }, (result) => result),
}
