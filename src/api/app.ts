import { Hono } from 'hono'
import { asDescribed } from './as-described.ts'
import { auditRoutes } from './audit.ts'
import { capabilityRoutes } from './capability-routes.ts'
import { chatRoute } from './chat.ts'
import { conversationRoutes, stoppingRoutes } from './conversations.ts'
import type { ApiDeps } from './deps.ts'
import { ApiError, errorResponse } from './errors.ts'
import { executionRoutes } from './executions.ts'
import { feedbackRoutes } from './feedback.ts'
import { fileRoutes } from './files.ts'
import { grantRoutes } from './grants.ts'
import { healthOf } from './health.ts'
import { ignoredRoutes } from './ignored.ts'
import { previewRoutes } from './preview.ts'
import { probeRoutes, probes } from './probes.ts'
import { projectRoutes } from './projects.ts'
import { requestRoutes } from './requests.ts'
import { type ConsoleAccess, guard } from './security.ts'
import { threadRoutes } from './threads.ts'
import { toolRoutes } from './tools.ts'
import { usageRoutes } from './usage.ts'
import { viewRoutes } from './views.ts'
import { apiWords } from './words.ts'

/** The whole HTTP interface; `pages` adds the console. */
export async function createApp(
  deps: ApiDeps,
  access: ConsoleAccess,
  pages: (app: Hono) => Promise<void>,
): Promise<Hono> {
  const app = new Hono()
  app.onError((thrown, context) => errorResponse(context, thrown, deps.report))
  app.notFound((context) =>
    errorResponse(
      context,
      new ApiError(404, 'not_found', apiWords.unknownPath({ path: context.req.path }), 'See /api/v1/openapi.json.'),
      deps.report,
    ),
  )
  const tokens = new Map(deps.endpoints.flatMap(({ path, token }) => (token ? [[path, token] as const] : [])))
  app.use(guard(access, { open: probes, tokens }))
  probeRoutes(app, deps)
  for (const { path, answer } of deps.endpoints) app.get(path, (context) => answer(context.req.raw))
  app.get('/health', async (context) => context.json(await healthOf(deps)))
  app.get('/ready', async (context) => {
    const health = await healthOf(deps)
    return context.json(health, health.status === 'ok' ? 200 : 503)
  })

  const api = new Hono()
  api.use(asDescribed(deps))
  chatRoute(api, deps)
  threadRoutes(api, deps)
  conversationRoutes(api, deps)
  executionRoutes(api, deps)
  viewRoutes(api, deps)
  stoppingRoutes(api, deps)
  feedbackRoutes(api, deps)
  fileRoutes(api, deps)
  previewRoutes(api, deps)
  requestRoutes(api, deps)
  projectRoutes(api, deps)
  ignoredRoutes(api, deps)
  grantRoutes(api, deps)
  auditRoutes(api, deps)
  toolRoutes(api, deps)
  usageRoutes(api, deps)
  capabilityRoutes(api, deps)
  api.get('/about', (context) =>
    context.json({
      name: 'Bobbin',
      ...deps.about,
      signs_in: !deps.trustsUserId,
      projects: deps.config.console.projects,
      limits: { file_bytes: deps.config.uploads.fileBytes, files_per_message: deps.config.uploads.filesPerMessage },
      commands: deps.commands.map(({ name, argument, summary }) => ({
        name,
        argument: argument?.name ?? null,
        summary,
      })),
    }),
  )
  api.get('/openapi.json', async (context) => {
    const { openApiDocument } = await import('./openapi.ts')
    return context.json(openApiDocument(deps.about.version, await deps.operations(), deps.report))
  })
  app.route('/api/v1', api)
  await pages(app)
  return app
}
