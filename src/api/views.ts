import type { Api, ApiDeps } from './deps.ts'
import { sessionOf } from './who.ts'

/** What capabilities say about a thread. */
export function viewRoutes(api: Api, deps: ApiDeps): void {
  for (const view of ['context', 'prompt'])
    api.get(`/agent/conversations/:id/${view}`, async (context) => {
      const session = await sessionOf(context, deps)
      return context.json(deps.store.mask((await deps.views.get(view)?.(session)) ?? null))
    })
}
