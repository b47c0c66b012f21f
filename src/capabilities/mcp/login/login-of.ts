import type { Config } from '../../../config/config.ts'
import { withVariables } from '../../../config/references.ts'
import { Failure } from '../../../kit/failure.ts'
import { loginClientOf, urlOf } from '../addresses.ts'
import type { Login } from '../port.ts'
import { clientSecret, loginKey, type McpSettings, type ServerSettings, transportOf } from '../settings.ts'
import { mcpWords } from '../words.ts'
import { callbackUrl } from './callback.ts'
import { type DroppableLogin, keptLogin } from './kept.ts'
import { type Learn, teaching } from './teaching.ts'

export interface Named {
  name: string
  server: ServerSettings
}

/**
 * What logging in to a server needs. `learn` is called with the secrets in it as they become known. Throws
 * `mcp_no_login` if nobody can.
 */
export function loginOf(
  { name, server }: Named,
  { dataDir, variables }: Pick<Config, 'dataDir' | 'variables'>,
  { logins }: McpSettings,
  learn: Learn = () => {},
): { url: URL; login: Login & { kept: DroppableLogin } } {
  const url = urlOf(server, variables)
  if (url === undefined || transportOf(server) !== 'http')
    throw new Failure('mcp_no_login', mcpWords.loginImpossible({ name }), mcpWords.loginImpossibleRemedy())
  const key = logins.key === undefined ? undefined : withVariables(logins.key, variables)
  const client = loginClientOf(server, variables)
  learn([...clientSecret(name, client.secret), ...loginKey(key)])
  const kept = teaching(keptLogin(dataDir, name, url.href, key), name, learn)
  return { url, login: { kept, client, redirectUrl: callbackUrl(logins), document: logins.clientDocument } }
}
