import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Failure } from '../../../kit/failure.ts'
import type { LoginAnswer } from '../port.ts'
import type { McpSettings } from '../settings.ts'
import { mcpWords } from '../words.ts'

const path = '/mcp/oauth/callback'
const usual = { host: '127.0.0.1', port: 19_876 }

type Logins = McpSettings['logins']

/** Where browsers come back to. */
export const callbackUrl = ({ publicUrl, port = usual.port }: Logins): string =>
  publicUrl === undefined ? `http://127.0.0.1:${port}${path}` : `${publicUrl.replace(/\/+$/, '')}${path}`

const page = (text: string) => `<!doctype html><meta charset="utf-8"><title>Bobbin</title><p>${text}`

/** What a browser came back with. `say` ends what it waits for; resolves once it has that, or is gone. */
type Returned = LoginAnswer & { say(text: string): Promise<void> }

/** Waits for the browser to come back with a code. Throws Failure if it comes without one. */
export async function awaitCode(
  { state, logins }: { state: string; logins: Logins },
  signal: AbortSignal,
  listening: () => void,
): Promise<Returned> {
  const came = Promise.withResolvers<Returned>()
  const end = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1')
    const answer = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'text/html', connection: 'close' }).end(page(text))
    // Such as `//`. Whatever is thrown here would end the process.
    if (url === null) return answer(400, mcpWords.nothingHere())
    if (url.pathname !== path) return answer(404, mcpWords.nothingHere())
    // Somebody else may have sent the browser here.
    if (!isSame(url.searchParams.get('state') ?? '', state)) return answer(400, mcpWords.otherLogin())
    const code = url.searchParams.get('code')
    if (code === null) {
      answer(200, mcpWords.loginRefusedInBrowser())
      return came.reject(new Failure('mcp_login', mcpWords.loginRefused(), mcpWords.tryAgainRemedy()))
    }
    // A browser may come twice, and be closed meanwhile.
    void end.promise.then((text) => response.destroyed || answer(200, text))
    const say = async (text: string) => {
      const over = response.destroyed ? undefined : once(response, 'close')
      end.resolve(text)
      await over?.catch(() => undefined)
    }
    came.resolve({ code, issuer: url.searchParams.get('iss') ?? undefined, say })
  })
  const abort = () => came.reject(new Failure('mcp_login', mcpWords.loginTimedOut(), mcpWords.tryAgainRemedy()))
  signal.addEventListener('abort', abort, { once: true })
  try {
    server.listen(logins.port ?? usual.port, logins.host ?? usual.host)
    await once(server, 'listening').catch((thrown: unknown) => {
      const remedy = mcpWords.callbackPortRemedy()
      throw new Failure('mcp_login', mcpWords.callbackPortTaken(), remedy, { cause: thrown })
    })
    listening()
    return await came.promise
  } finally {
    signal.removeEventListener('abort', abort)
    server.close()
  }
}

export const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted))

/** Always of the same length, which a comparison in constant time needs. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
