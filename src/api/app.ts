import { Hono } from 'hono'
import type { Health } from '../chat/platform.ts'
import { commands } from '../sessions/commands/index.ts'
import type { Store } from '../store/store.ts'
import { auditRoutes } from './audit.ts'
import { chatRoute } from './chat.ts'
import { conversationRoutes } from './conversations.ts'
import type { ApiDeps } from './deps.ts'
import { ApiError, errorResponse } from './errors.ts'
import { fileRoutes } from './files.ts'
import { grantRoutes } from './grants.ts'
import { ignoredRoutes } from './ignored.ts'
import { openApiDocument } from './openapi.ts'
import { previewRoutes } from './preview.ts'
import { projectRoutes } from './projects.ts'
import { requestRoutes } from './requests.ts'
import { type Access, guard } from './security.ts'
import { toolRoutes } from './tools.ts'

/** The whole HTTP interface; `pages` adds the console's. */
export async function createApp(deps: ApiDeps, access: Access, pages: (app: Hono) => Promise<void>): Promise<Hono> {
  const app = new Hono()
  app.onError((thrown, context) => errorResponse(context, thrown, deps.report))
  app.notFound((context) =>
    errorResponse(
      context,
      new ApiError(404, 'not_found', `There is nothing at ${context.req.path}.`, 'See /api/v1/openapi.json.'),
      deps.report,
    ),
  )
  app.use(guard(access))
  app.get('/health', (context) => context.json(healthOf(deps)))
  app.get('/ready', (context) => {
    const health = healthOf(deps)
    return context.json(health, health.status === 'ok' ? 200 : 503)
  })

  const api = new Hono()
  chatRoute(api, deps)
  conversationRoutes(api, deps)
  fileRoutes(api, deps)
  previewRoutes(api, deps)
  requestRoutes(api, deps)
  projectRoutes(api, deps)
  ignoredRoutes(api, deps)
  grantRoutes(api, deps)
  auditRoutes(api, deps)
  toolRoutes(api, deps)
  api.get('/about', (context) =>
    context.json({
      name: 'Bobbin',
      ...deps.about,
      projects: deps.config.console.projects,
      commands: commands.map(({ name, argument, summary }) => ({ name, argument: argument?.name ?? null, summary })),
    }),
  )
  api.get('/openapi.json', (context) => context.json(openApiDocument(deps.about.version)))
  app.route('/api/v1', api)
  await pages(app)
  return app
}

/** The process is there, whether it can store things, and how its platforms are connected. */
function healthOf({ platforms, store }: ApiDeps) {
  const entries = [...platforms.values()].map((platform) => [platform.name, platform.health()] as const)
  const database = databaseHealth(store)
  const ok = database.ok && entries.every(([, health]) => health.ok)
  return { status: ok ? 'ok' : 'degraded', database, platforms: Object.fromEntries(entries) }
}

function databaseHealth({ availability }: Store): Health {
  const { fault } = availability
  if (fault !== undefined) return { ok: false, detail: `${fault.message} ${fault.remedy}` }
  return { ok: true, detail: 'Bobbin can store things.' }
}
