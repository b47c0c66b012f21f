import { expect, test } from 'vitest'
import { refreshing } from '../../src/capabilities/mcp/sdk/refresh.ts'
import type { JsonObject } from '../../src/kit/json.ts'

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
