import type { Todo } from '../../domain/session.ts'
import type { Lease, Store } from '../../store/store.ts'
import { readTodos, writeTodos } from '../../store/todos.ts'

/** The session's todo list. */
export interface Todos {
  read(): Promise<Todo[]>
  write(todos: Todo[]): Promise<void>
}

export const todosOf = (store: Store, lease: Lease): Todos => ({
  read: () => readTodos(store.db, lease.session),
  write: (todos) => store.fenced(lease, (tx) => writeTodos(tx, lease.session, todos)),
})
