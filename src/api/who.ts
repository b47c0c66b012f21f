import type { Context } from 'hono'
import type { Person } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { findSession, type Session } from '../store/sessions.ts'
import type { ApiDeps } from './deps.ts'
import { ApiError } from './errors.ts'

/** Who speaks: on loopback whom they say, elsewhere whoever holds the token. */
export function personOf(deps: ApiDeps, userId: string | undefined): Person {
  const id = (deps.trustsUserId ? userId : undefined) ?? 'operator'
  return { id, name: id }
}

/** The session that a route names. Throws 404. */
export async function sessionOf(context: Context, deps: ApiDeps): Promise<Session> {
  const id = context.req.param('id') ?? ''
  const session = await findSession(deps.store.db, id)
  if (session === undefined) throw noConversation(id)
  return session
}

export const noConversation = (id: string | SessionId): ApiError =>
  new ApiError(
    404,
    'not_found',
    `There is no conversation ${JSON.stringify(id)}.`,
    'GET /api/v1/agent/conversations lists them.',
  )
