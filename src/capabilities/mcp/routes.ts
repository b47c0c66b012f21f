import { Failure } from '../../kit/failure.ts'
import type { Running } from './running.ts'

/** `/api/v1/mcp/servers`: what there is, and starting, testing and stopping it by hand. */
export async function answerRoute(request: Request, { pool, catalog }: Running): Promise<Response> {
  const [name, action] =
    new URL(request.url).pathname.split('/mcp/servers')[1]?.split('/').slice(1).map(decodeURIComponent) ?? []
  const isPost = request.method === 'POST'
  if (name === undefined) return Response.json({ servers: pool.status() })
  const server = pool.status().find((one) => one.name === name)
  if (server === undefined) return problem(404, 'not_found', `There is no MCP server ${name}.`)
  if (action === undefined) return Response.json(server)
  if (action === 'tools' && !isPost) return Response.json({ tools: catalog.toolsOf(name) })
  if (!isPost) return problem(405, 'not_allowed', 'Use POST.')
  try {
    if (action === 'stop') await pool.stopServer(name)
    else if (action === 'start' || action === 'test') return Response.json(await pool.test(name))
    else return problem(404, 'not_found', `There is no ${action}. There are: tools, test, start, stop.`)
    return Response.json(pool.status().find((one) => one.name === name))
  } catch (thrown) {
    if (thrown instanceof Failure) return problem(502, thrown.code, `${thrown.message} ${thrown.remedy}`.trim())
    throw thrown
  }
}

const problem = (status: number, code: string, message: string): Response =>
  Response.json({ error: { code, message } }, { status })
