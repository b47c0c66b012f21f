import type { AlarmId } from './ids.ts'

export const todoStatuses = ['pending', 'in_progress', 'completed'] as const
export const todoPriorities = ['low', 'medium', 'high'] as const

export interface Todo {
  content: string
  status: (typeof todoStatuses)[number]
  priority: (typeof todoPriorities)[number]
}

/** The session's list of what is to be done. */
export interface Todos {
  read(): Promise<Todo[]>
  write(todos: Todo[]): Promise<void>
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

/** The session's alarms. */
export interface Alarms {
  /** The same call sets the same alarm: again changes nothing. */
  set(alarm: Omit<Alarm, 'id'>): Promise<AlarmId>
  list(): Promise<Alarm[]>
  /** False when there is no such pending alarm in this session. */
  cancel(id: string): Promise<boolean>
}
