import { expect, test } from 'vitest'
import { callServer } from '../../src/capabilities/mcp/call.ts'
import { hashOf } from '../../src/capabilities/mcp/catalog.ts'
import { Connection } from '../../src/capabilities/mcp/connection.ts'
import { noAnswer } from '../../src/capabilities/mcp/sdk/failures.ts'
import { Failure } from '../../src/kit/failure.ts'

test('a call that is stopped, or lacks a token, doesn’t make its server look broken, and one without an answer does', async () => {
  let pings = 0
  let failure = noAnswer(new Error('aborted'), String)
  const client = {
    ...{ about: '', listTools: async () => [], close: async () => {} },
    call: async () => Promise.reject(failure),
    ping: async () => void pings++,
  }
  const pay = { name: 'pay', description: '', parameters: {}, destructive: false }
  const connection = new Connection({
    ...{ name: 'x', now: () => 0, startMs: 300_000, learned: async () => {}, report: () => {} },
    mask: (text) => text,
    open: async () => ({
      client,
      tools: [pay],
      calls: new Set(),
      ended: new Promise<string>(() => {}),
      stop: async () => {},
    }),
  })
  const deps = {
    held: { connection, place: '' },
    ...{ server: { call_ms: 300_000, tools: {} }, limits: {}, catalog: { agree: async () => {} } },
  }
  const call = (signal: AbortSignal) =>
    callServer(deps as never, { server: 'x', tool: 'pay', hash: hashOf(pay) } as never, {}, { signal } as never)
  await expect(call(AbortSignal.abort())).rejects.toMatchObject({ code: 'mcp_lost' })
  await connection.use(async () => {})
  expect(pings).toBe(0)
  const { signal } = new AbortController()
  failure = new Failure('mcp_tokenless', 'there is no new token', '')
  await expect(call(signal)).rejects.toMatchObject({ code: 'mcp_tokenless' })
  await connection.use(async () => {})
  expect(pings).toBe(0)
  failure = noAnswer(new Error('aborted'), String)
  await expect(call(signal)).rejects.toMatchObject({ code: 'mcp_lost' })
  await connection.use(async () => {})
  expect(pings).toBe(1)
})
