import { type KnownIgnored, listIgnored } from '../store/ignored.ts'
import type { Api, ApiDeps } from './deps.ts'
import { checked } from './errors.ts'
import { ignoredQuery } from './schemas.ts'

/** Why messages weren't answered: the latest ones, or one given by its id or link. */
export function ignoredRoutes(api: Api, { store, platforms }: Pick<ApiDeps, 'store' | 'platforms'>): void {
  api.get('/ignored', async (context) => {
    const { limit, message } = checked(ignoredQuery, context.req.query())
    const found = await listIgnored(store.db, { message: message && messageIn(message), limit })
    return context.json({ ignored: found.map(shape) })
  })

  /** Each platform knows its own links; anything else is taken as an id. */
  function messageIn(text: string): string {
    for (const platform of platforms.values()) {
      const id = platform.messageIn(text)
      if (id !== undefined) return id
    }
    return text
  }

  function shape({ thread, message, person, reason, at }: KnownIgnored) {
    return {
      message_id: message,
      platform: thread.platform,
      tenant_id: thread.tenant,
      project_id: thread.project,
      thread_id: thread.thread,
      user: person,
      reason,
      link: platforms.get(thread.platform)?.link(thread, message) ?? null,
      ignored_at: new Date(at).toISOString(),
    }
  }
}
