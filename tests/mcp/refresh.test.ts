import { expect, test } from 'vitest'
import { connectMcp } from '../../src/capabilities/mcp/sdk/connect.ts'
import { logInMcp } from '../../src/capabilities/mcp/sdk/log-in.ts'
import { refreshing } from '../../src/capabilities/mcp/sdk/refresh.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { codeFrom, never, visited } from './visited.ts'

const tokens = (of: string) => ({ access_token: `${of}-access`, refresh_token: `${of}-refresh`, token_type: 'Bearer' })

test('a refresh that is under way when somebody else logs in leaves their login as it is', async () => {
  let stored: JsonObject = { tokens: tokens('ana') }
  const kept = {
    read: async () => stored,
    write: async (value: JsonObject) => {
      stored = value
    },
    alone: <T>(work: () => Promise<T>) => work(),
  }
  const send = refreshing(kept, async () => {
    stored = { tokens: tokens('ben') }
    return Response.json(tokens('ana-again'))
  })
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'ana-refresh' })
  const response = await send('http://127.0.0.1/token', { method: 'POST', body })
  expect(stored).toEqual({ tokens: tokens('ben') })
  expect(await response.json()).toEqual(tokens('ben'))
})

test('a token server that is away for a moment is no login that has run out', async () => {
  const { wanted, good, refreshing } = await visited()
  const { url, messageBytes, ...login } = { ...wanted, client: { scope: 'all' } }
  await logInMcp({ ...login, url, messageBytes, state: 's' }, codeFrom, never)
  const host = {
    roots: () => [],
    elicit: async () => ({ action: 'decline' as const }),
    ...{ sample: undefined, toolsChanged() {}, closed() {} },
  }
  const limits = { messageBytes, tools: 10, definitionBytes: messageBytes }
  const connect = () => connectMcp({ kind: 'http', url, headers: {}, login }, host, limits, never)
  const client = await connect()
  const whoAmI = () => client.call('whoami', {}, never, () => {})
  good.clear()
  refreshing.isAway = true
  const isAway = { code: 'mcp_tokenless', message: expect.stringContaining('no new token for the server') }
  await expect(whoAmI()).rejects.toMatchObject(isAway)
  await expect(connect()).rejects.toMatchObject(isAway)
  // Nobody has to log in for more.
  expect(await login.kept.read()).not.toHaveProperty('wantedScope')
  refreshing.isAway = false
  expect(await whoAmI()).toMatchObject({ content: [{ text: 'somebody' }] })
})
