import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Failure } from '../../../kit/failure.ts'

export const callbackPort = 19_876
const path = '/mcp/oauth/callback'
export const callbackUrl = `http://127.0.0.1:${callbackPort}${path}`

const page = (text: string) => `<!doctype html><meta charset="utf-8"><title>Bobbin</title><p>${text}`

/** Waits on this machine for the browser to come back with a code. Throws Failure if it comes back without one. */
export async function awaitCode(state: string, signal: AbortSignal, listening: () => void): Promise<string> {
  const came = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', callbackUrl)
    const answer = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'text/html', connection: 'close' }).end(page(text))
    if (url.pathname !== path) return answer(404, 'There is nothing here.')
    // Somebody else may have sent the browser here.
    if (!isSame(url.searchParams.get('state') ?? '', state)) return answer(400, 'This is not the login that was begun.')
    const code = url.searchParams.get('code')
    if (code === null) {
      answer(200, 'It was not allowed. You can close this window.')
      return came.reject(new Failure('mcp_login', 'The login was not allowed.', 'Try again.'))
    }
    answer(200, 'Bobbin is logged in. You can close this window.')
    came.resolve(code)
  })
  const abort = () => came.reject(new Failure('mcp_login', 'Nobody logged in in time.', 'Try again.'))
  signal.addEventListener('abort', abort, { once: true })
  try {
    server.listen(callbackPort, '127.0.0.1')
    await once(server, 'listening')
    listening()
    return await came.promise
  } finally {
    signal.removeEventListener('abort', abort)
    server.close()
  }
}

const isSame = (given: string, wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
