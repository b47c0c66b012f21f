import type { Config } from '../../../config/config.ts'
import { withVariables } from '../../../config/references.ts'
import { Failure } from '../../../kit/failure.ts'
import { loginClientOf, urlOf } from '../addresses.ts'
import type { Login } from '../port.ts'
import { clientSecret, loginKey } from '../secrets.ts'
import { loginWay, type McpSettings, type ServerSettings } from '../settings.ts'
import { mcpWords } from '../words.ts'
import { callbackUrl } from './callback.ts'
import { type DroppableLogin, keptLogin, loginFile, loginFilesOf } from './kept.ts'
import { type Learn, teaching } from './teaching.ts'

export interface Named {
  name: string
  server: ServerSettings
  /** The workspace whose login it is, if each has its own. */
  place?: string
}

/**
 * What logging in to a server needs. `learn` is called with the secrets in it as they become known. Throws
 * `mcp_no_login` if nobody can.
 */
export function loginOf(
  { name, server, place }: Named,
  { dataDir, variables }: Pick<Config, 'dataDir' | 'variables'>,
  { logins }: McpSettings,
  learn: Learn = () => {},
): { url: URL; kind: 'http' | 'sse'; login: Login & { kept: DroppableLogin } } {
  const url = urlOf(server, variables)
  const kind = loginWay(server)
  if (url === undefined || kind === undefined)
    throw new Failure('mcp_no_login', mcpWords.loginImpossible({ name }), mcpWords.loginImpossibleRemedy())
  const key = keyIn(logins, variables)
  const client = loginClientOf(server, variables)
  learn([...clientSecret(name, client.secret), ...loginKey(key)])
  const kept = teaching(keptLogin(loginFile(dataDir, name, url.href, place), key), name, learn)
  return { url, kind, login: { kept, client, redirectUrl: callbackUrl(logins), document: logins.clientDocument } }
}

const keyIn = ({ key }: McpSettings['logins'], variables: Config['variables']): string | undefined =>
  key === undefined ? undefined : withVariables(key, variables)

/** Calls `learn` with the secrets of every login to a server that is kept here, whoever's it is. */
export async function learnLogins(
  name: string,
  { dataDir, variables }: Pick<Config, 'dataDir' | 'variables'>,
  { logins }: McpSettings,
  learn: Learn,
): Promise<void> {
  const key = keyIn(logins, variables)
  const files = await loginFilesOf(dataDir, name)
  // Whoever uses one that can't be read is told.
  await Promise.allSettled(files.map((file) => teaching(keptLogin(file, key), name, learn).read()))
}

/** The tokens of a login, as a text, which is another one after somebody has logged in; '' if there are none. */
export async function keptTokens(
  named: Named,
  { config, settings, learn }: { config: Parameters<typeof loginOf>[1]; settings: McpSettings; learn: Learn },
): Promise<string> {
  if (loginWay(named.server) === undefined) return ''
  try {
    const kept = await loginOf(named, config, settings, learn).login.kept.read()
    return JSON.stringify(kept?.tokens) ?? ''
  } catch {
    // Whoever uses one that can't be read is told.
    return ''
  }
}
