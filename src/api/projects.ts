import { listProjects } from '../store/sessions.ts'
import type { Api, ApiDeps } from './deps.ts'

/** The channels of all platforms that have conversations, the last used first. */
export function projectRoutes(api: Api, { store }: ApiDeps): void {
  api.get('/agent/projects', async (context) => {
    const places = await listProjects(store.db)
    const projects = places.map(({ platform, tenant, project, sessions }) => ({
      platform,
      tenant_id: tenant,
      project_id: project,
      conversations: sessions,
    }))
    return context.json({ projects })
  })
}
