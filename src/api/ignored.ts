import { type KnownIgnored, listIgnored } from '../store/ignored.ts'
import { paged, placeAt } from './cursor.ts'
import type { Api, ApiDeps } from './deps.ts'
import { checked } from './errors.ts'
import { ignoredQuery } from './schemas.ts'

/** Why messages weren't answered: the latest ones, or one given by its id or link. */
export function ignoredRoutes(api: Api, { store, platforms }: Pick<ApiDeps, 'store' | 'platforms'>): void {
  api.get('/ignored', async (context) => {
    const { limit, message, cursor } = checked(ignoredQuery, context.req.query())
    const wanted = { message: message && messageIn(message), after: placeAt(cursor), limit: limit + 1 }
    const found = await listIgnored(store.db, wanted)
    const { page, next_cursor } = paged(found, limit, ({ at, dedupKey }) => ({ at, id: dedupKey }))
    return context.json({ ignored: page.map(shape), next_cursor })
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
