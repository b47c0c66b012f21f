import { withVariables } from '../../config/references.ts'
import type { LoginClient } from './port.ts'
import type { ServerSettings } from './settings.ts'

export function urlOf({ url = '' }: ServerSettings, variables: Readonly<Record<string, string>>): URL | undefined {
  const parsed = URL.parse(withVariables(url, variables))
  return parsed !== null && /^(https?|wss?):$/.test(parsed.protocol) ? parsed : undefined
}

export function loginClientOf({ oauth }: ServerSettings, variables: Readonly<Record<string, string>>): LoginClient {
  const { client_id, client_secret, scope } = oauth
  return {
    ...(client_id !== undefined && { id: withVariables(client_id, variables) }),
    ...(client_secret !== undefined && { secret: withVariables(client_secret, variables) }),
    ...(scope !== undefined && { scope: withVariables(scope, variables) }),
  }
}
