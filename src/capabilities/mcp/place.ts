import { directTenant } from '../../domain/chat.ts'
import { homeOf, type ProjectRef, type Session } from '../../store/sessions.ts'
import type { ServerSettings } from './settings.ts'

type Scope = Pick<ServerSettings, 'scope'>

/**
 * Whose login and process of a server: '' if all share it. Each workspace has its own of a server with
 * `scope: tenant`, except that strangers' direct messages share none.
 */
export const placeOf = ({ scope }: Scope, where: ProjectRef): string => (scope === 'tenant' ? workspaceOf(where) : '')

/**
 * Who knows what a server says of its tools: '' if all do. One that runs for a workspace or a thread may say other
 * things than elsewhere, which nobody in another workspace reads.
 */
export const knownPlaceOf = ({ scope }: Scope, where: ProjectRef): string =>
  scope === 'shared' ? '' : workspaceOf(where)

/** A thread, and its workspace's folder, which only a server with `scope: session` gets. */
export interface InThread {
  session: Session
  root: string | undefined
}

/**
 * Whom a server runs for, in which place, and in which folder. `scope`: '' if all share it, or it is nobody's.
 * `owner`: the same, except that the server of a subagent belongs to the thread that it works for.
 */
export interface Whose {
  scope: string
  owner: string
  place: string
  root?: string | undefined
}

export const ofNobody: Whose = { scope: '', owner: '', place: '' }

/** Which of the servers with one name a thread uses. */
export function whoseOf(server: Scope, thread?: InThread): Whose {
  if (thread === undefined) return ofNobody
  const { session, root } = thread
  const place = knownPlaceOf(server, session.thread)
  if (server.scope === 'session') return { scope: session.id, owner: homeOf(session), place, root }
  const scope = placeOf(server, session.thread)
  return { scope, owner: scope, place, root }
}

function workspaceOf({ platform, tenant, project }: ProjectRef): string {
  const place = `${platform} ${tenant}`
  return tenant === directTenant ? `${place} ${project}` : place
}
