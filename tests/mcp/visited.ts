import { loginOf } from '../../src/capabilities/mcp/login/login-of.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { freePort } from '../support/free-port.ts'
import { scratch } from '../support/store.ts'
import { guarded } from './guarded.ts'
import { shippedMcp } from './support.ts'

/** A server that wants a login, and whoever logs in to it. */
export async function visited(oauth: { client_secret?: string } = {}) {
  const { url, ...there } = await guarded()
  const megabyte = 1_048_576
  const sandbox = { memory_bytes: 1024 * megabyte, processes: 100, file_bytes: megabyte, temporary_bytes: megabyte }
  const mcp_servers = {
    servers: { x: { url, oauth } },
    limits: shippedMcp,
    logins: { port: await freePort() },
    sandbox,
  }
  const settings = settingsIn({ sections: { mcp_servers } }, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  const named = { name: 'x', server }
  const config = { dataDir: await scratch(), variables: {} }
  const { login } = loginOf(named, config, settings)
  return { ...there, named, config, settings, wanted: { ...login, url: new URL(url), messageBytes: megabyte } }
}

/** What a browser comes back with. */
export async function codeFrom(address: URL): Promise<{ code: string; issuer: string | undefined }> {
  const response = await fetch(address, { redirect: 'manual' })
  const { searchParams } = new URL(response.headers.get('location') ?? '')
  return { code: searchParams.get('code') ?? '', issuer: searchParams.get('iss') ?? undefined }
}

/** Nobody's patience ends. */
export const never = new AbortController().signal
