import { directTenant } from '../../domain/chat.ts'
import type { ProjectRef, Session } from '../../store/sessions.ts'
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

/** Whom a server runs for, in which place, and in which folder. `scope`: '' if all share it, or it is nobody's. */
export interface Whose {
  scope: string
  place: string
  root?: string | undefined
}

/** Which of the servers with one name a thread uses. */
export function whoseOf(server: Scope, thread?: InThread): Whose {
  if (thread === undefined) return { scope: '', place: '' }
  const { id, thread: where } = thread.session
  const scope = server.scope === 'session' ? id : placeOf(server, where)
  return { scope, place: knownPlaceOf(server, where), root: thread.root }
}

function workspaceOf({ platform, tenant, project }: ProjectRef): string {
  const place = `${platform} ${tenant}`
  return tenant === directTenant ? `${place} ${project}` : place
}
