import { randomBytes } from 'node:crypto'
import type { Config } from '../../../config/config.ts'
import { Failure } from '../../../kit/failure.ts'
import { loginClientOf, urlOf } from '../open.ts'
import { type McpSettings, type ServerSettings, transportOf } from '../settings.ts'
import { awaitCode, callbackUrl } from './callback.ts'
import { keptLogin } from './kept.ts'

const longestMs = 5 * 60_000

interface Named {
  name: string
  server: ServerSettings
}

/** Logs in to a server; `show` is called with the address that a person opens. False if nothing had to be done. */
export async function logIn(
  named: Named,
  config: Config,
  settings: McpSettings,
  show: (url: URL) => void,
): Promise<boolean> {
  const { kept, url } = keptFor(named, config)
  const { logInMcp } = await import('../sdk/log-in.ts')
  const state = randomBytes(32).toString('base64url')
  const signal = AbortSignal.timeout(longestMs)
  const client = loginClientOf(named.server, config.variables)
  const wanted = { kept, client, url, redirectUrl: callbackUrl, state, messageBytes: settings.limits.messageBytes }
  return logInMcp(wanted, (address) => awaitCode(state, signal, () => show(address)), signal)
}

/** Forgets a login. */
export const logOut = (named: Named, config: Config): Promise<void> => keptFor(named, config).kept.drop()

function keptFor({ name, server }: Named, config: Config) {
  const url = urlOf(server, config.variables)
  if (url === undefined || transportOf(server) !== 'http')
    throw new Failure('mcp_login', `${name} is not reached over HTTP, so nobody logs in to it.`, '')
  return { kept: keptLogin(config.dataDir, name, url.href), url }
}
