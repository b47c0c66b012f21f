import type { AlarmId } from './ids.ts'

export const todoStatuses = ['pending', 'in_progress', 'completed'] as const
export const todoPriorities = ['low', 'medium', 'high'] as const

export interface Todo {
  content: string
  status: (typeof todoStatuses)[number]
  priority: (typeof todoPriorities)[number]
}

export interface Alarm {
  id: AlarmId
  message: string
  /** When it rings next, ms. */
  dueAt: number
  /** The cron expression of a repeating alarm, in `timeZone`. */
  cron?: string
  timeZone: string
}
