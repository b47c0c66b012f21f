import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { scratch } from '../support/store.ts'

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const client = join(import.meta.dirname, 'conformance-client.ts')

/** What one scenario of the official suite says in the end. */
async function verdict(scenario: string, cwd: string): Promise<string> {
  const command = `${process.execPath} ${client}`
  const words = [program, 'client', '--command', command, '--scenario', scenario, '--timeout', '120000']
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const said = out + err
  return `${scenario}: ${/OVERALL: (\w+)/.exec(said)?.[1] ?? said.slice(-2_000)}`
}

/**
 * All of the client scenarios of released protocols. Left out are extensions that nobody here asked for: logins of machines
 * and of other applications. `auth/metadata-var1` to `3` differ from `default` only in where documents lie.
 */
const scenarios = [
  ...['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'],
  ...['auth/metadata-default', 'auth/metadata-var1', 'auth/metadata-var2', 'auth/metadata-var3', 'auth/basic-cimd'],
  ...['auth/scope-from-www-authenticate', 'auth/scope-from-scopes-supported', 'auth/scope-omitted-when-undefined'],
  ...['auth/scope-step-up', 'auth/scope-retry-limit', 'auth/pre-registration', 'auth/resource-mismatch'],
  ...['auth/token-endpoint-auth-basic', 'auth/token-endpoint-auth-post', 'auth/token-endpoint-auth-none'],
  ...['auth/2025-03-26-oauth-metadata-backcompat', 'auth/2025-03-26-oauth-endpoint-fallback'],
  ...['auth/offline-access-scope', 'auth/offline-access-not-supported'],
]

test('the official suite finds nothing wrong with how the bot speaks the protocol', async () => {
  const cwd = await scratch()
  const said: string[] = []
  const waiting = [...scenarios]
  const next = async (): Promise<void> => {
    const scenario = waiting.shift()
    if (scenario === undefined) return
    said.push(await verdict(scenario, cwd))
    return next()
  }
  await Promise.all([next(), next()])
  expect(said.filter((line) => !line.endsWith(': PASSED'))).toEqual([])
  expect(said).toHaveLength(23)
})
