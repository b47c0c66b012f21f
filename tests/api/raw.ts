import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json<Body = { error: { code: string; message: string; remedy: string } }>(): Body
}

/** A request as it stands: fetch would mend its path, its Host and its Origin. */
export async function raw(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const outgoing = request({ host: hostname, port, path, method, headers })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  return { status: response.statusCode, headers: response.headers, text, json: () => JSON.parse(text) }
}
