import type { Context } from 'hono'
import type { Person } from '../domain/chat.ts'
import { consoleName } from '../platforms/console/console.ts'
import { findSession, type Session } from '../store/sessions.ts'
import { parseBody, readBytes } from './body.ts'
import type { ApiDeps } from './deps.ts'
import { ApiError, checked } from './errors.ts'
import { personBody } from './schemas.ts'
import { apiWords } from './words.ts'

/** Who is speaking: on loopback whoever they say, otherwise the holder of the token. */
export function personOf(deps: ApiDeps, userId: string | undefined): Person {
  const id = (deps.trustsUserId ? userId : undefined) ?? 'operator'
  return { id, name: id }
}

/** The same for a request whose body has nothing else and may be empty. */
export async function speaker(context: Context, deps: ApiDeps): Promise<Person> {
  const bytes = await readBytes(context, 10_000)
  const body = bytes.length === 0 ? {} : checked(personBody, parseBody(bytes))
  return personOf(deps, body.user_id)
}

/**
 * Whoever acts from the console in another platform's thread is the operator there, because anybody could give any
 * name.
 */
export function personIn(session: Session | undefined, person: Person): Person {
  const elsewhere = session !== undefined && session.thread.platform !== consoleName
  return elsewhere ? { id: 'operator', name: 'the operator' } : person
}

/** The session a route names. Throws 404. */
export async function sessionOf(context: Context, deps: ApiDeps): Promise<Session> {
  const id = context.req.param('id') ?? ''
  const session = await findSession(deps.store.db, id)
  if (session === undefined || session.isDeleted) throw noConversation()
  return session
}

export const noConversation = (): ApiError =>
  new ApiError(404, 'not_found', apiWords.threadGone(), apiWords.threadGoneRemedy())
