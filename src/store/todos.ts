import type { SessionId } from '../domain/ids.ts'
import type { Todo } from '../domain/session.ts'
import type { Db, Tx } from './store.ts'

export async function readTodos(db: Db, session: SessionId): Promise<Todo[]> {
  const row = await db.selectFrom('todos').select('todos').where('session_id', '=', session).executeTakeFirst()
  return row === undefined ? [] : JSON.parse(row.todos)
}

export async function writeTodos(tx: Tx, session: SessionId, todos: Todo[]): Promise<void> {
  const text = JSON.stringify(tx.mask(todos))
  await tx.db
    .insertInto('todos')
    .values({ session_id: session, todos: text })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ todos: text }))
    .execute()
}

export async function dropTodos(tx: Tx, session: SessionId): Promise<void> {
  await tx.db.deleteFrom('todos').where('session_id', '=', session).execute()
}
