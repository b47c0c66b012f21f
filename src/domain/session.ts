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
  /** When it goes off next, ms. */
  dueAt: number
  /** Repeats by this cron expression, in `timeZone`. */
  cron?: string
  timeZone: string
}
