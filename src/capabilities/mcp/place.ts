import { directTenant, type ThreadRef } from '../../domain/chat.ts'
import type { ServerSettings } from './settings.ts'

/**
 * Whose login and process of a server: '' if all share it. Each workspace has its own of a server with
 * `scope: tenant`, except that strangers' direct messages share none.
 */
export function placeOf({ scope }: Pick<ServerSettings, 'scope'>, thread: ThreadRef): string {
  if (scope !== 'tenant') return ''
  const place = `${thread.platform} ${thread.tenant}`
  return thread.tenant === directTenant ? `${place} ${thread.project}` : place
}
