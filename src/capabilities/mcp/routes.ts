import { Failure } from '../../kit/failure.ts'
import type { JsonObject } from '../../kit/json.ts'
import { appendAudit } from '../../store/audit.ts'
import { problem } from '../../turn/port/problem.ts'
import type { Services } from '../../turn/port/scope.ts'
import { addable, addServer, removeServer } from './added.ts'
import { forget } from './follow.ts'
import type { Running } from './running.ts'
import type { McpSettings } from './settings.ts'
import { mcpWords } from './words.ts'

interface RouteDeps {
  bot: Pick<Services, 'store'>
  /** Those of the configuration. */
  configured: McpSettings
  running(): Running | undefined
  /** Begins, if there was no server yet. */
  begin(): Promise<Running>
}

const statuses: Record<string, number> = { bad_server: 400, mcp_tool_off: 404 }

/** `/api/v1/mcp/servers`: what there is; starting, testing, stopping, adding and removing it, and calling its tools. */
export async function answerRoute(request: Request, deps: RouteDeps): Promise<Response> {
  const { configured } = deps
  const [name, action] =
    new URL(request.url).pathname.split('/mcp/servers')[1]?.split('/').slice(1).map(decodeURIComponent) ?? []
  try {
    if (request.method === 'POST' && name === undefined) return await add(await bodyOf(request), deps)
    const running = deps.running()
    const status = (running?.pool.status() ?? []).map((one) => ({ ...one, added: !configured.servers.has(one.name) }))
    if (name === undefined) return Response.json({ servers: status })
    const server = status.find((one) => one.name === name)
    if (running === undefined || server === undefined)
      return problem(404, 'not_found', mcpWords.unknownServerId({ name }))
    if (action === undefined)
      return request.method === 'DELETE' ? await remove(name, running, deps) : Response.json(server)
    if (action === 'tools' && request.method === 'GET') return Response.json({ tools: running.catalog.toolsOf(name) })
    if (request.method !== 'POST') return problem(405, 'not_allowed', mcpWords.usePost())
    return await act(action, name, running, { ...deps, request })
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    const message = deps.bot.store.mask(thrown.message)
    return problem(statuses[thrown.code] ?? 502, thrown.code, message, thrown.remedy)
  }
}

async function act(
  action: string,
  name: string,
  { pool }: Running,
  { bot, request }: RouteDeps & { request: Request },
): Promise<Response> {
  if (action === 'start' || action === 'test') return Response.json(await pool.test(name))
  if (action === 'stop') {
    await pool.stopByHand(name)
    return Response.json(pool.status().find((one) => one.name === name))
  }
  if (action !== 'call') return problem(404, 'not_found', 'There are: tools, test, start, stop, call.')
  const { tool, arguments: input = {}, ...others } = ((await bodyOf(request)) ?? {}) as Record<string, unknown>
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  if (typeof tool !== 'string' || !isObject || Object.keys(others).length > 0)
    return problem(400, 'bad_request', 'Send {"tool": "<name>", "arguments": {…}}.')
  // Whoever reaches this is the operator, who doesn't have to ask anybody; that it was called is logged anyway.
  const data = { by: 'operator', tool: `${name}/${tool}`, input: input as JsonObject }
  await bot.store.transaction((tx) => appendAudit(tx, { kind: 'started', session: undefined, data }))
  return Response.json(bot.store.mask(await pool.callByHand(name, tool, input as JsonObject, request.signal)))
}

async function add(input: unknown, { bot, configured, begin }: RouteDeps): Promise<Response> {
  const { name, server } = addable(input)
  if (configured.servers.has(name))
    return problem(409, 'exists', `${name} is named in config/mcp_servers.yaml, which is where to change it.`)
  const running = await begin()
  if (!(await addServer(bot.store, name, server)))
    return problem(409, 'exists', mcpWords.addedBefore({ name }), mcpWords.addedBeforeRemedy({ name }))
  // Another process may have removed one of this name, which may still run here.
  await running.pool.stopServer(name)
  running.settings.servers.set(name, server)
  running.pool.begin([name])
  return Response.json(
    running.pool.status().find((one) => one.name === name),
    { status: 201 },
  )
}

async function remove(name: string, running: Running, { bot, configured }: RouteDeps): Promise<Response> {
  if (configured.servers.has(name))
    return problem(409, 'configured', `${name} is named in config/mcp_servers.yaml: remove it there.`)
  await removeServer(bot.store, name)
  await forget(name, running)
  return new Response(null, { status: 204 })
}

const bodyOf = (request: Request): Promise<unknown> =>
  request.json().catch(() => {
    throw new Failure('bad_server', mcpWords.unparsableBody(), '')
  })
