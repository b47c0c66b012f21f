import { directTenant } from '../../domain/chat.ts'
import type { ProjectRef } from '../../store/sessions.ts'
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

function workspaceOf({ platform, tenant, project }: ProjectRef): string {
  const place = `${platform} ${tenant}`
  return tenant === directTenant ? `${place} ${project}` : place
}
