import { expect, test } from 'vitest'
import { callServer } from '../../src/capabilities/mcp/call.ts'
import { Connection } from '../../src/capabilities/mcp/connection.ts'
import { noAnswer } from '../../src/capabilities/mcp/sdk/failures.ts'

test('a call that somebody stops doesn’t make its server look broken, and one that gets no answer does', async () => {
  let pings = 0
  const client = {
    ...{ about: '', listTools: async () => [], close: async () => {} },
    call: async () => Promise.reject(noAnswer(new Error('aborted'))),
    ping: async () => void pings++,
  }
  const connection = new Connection({
    ...{ name: 'x', now: () => 0, startMs: 300_000, learned: async () => {}, report: () => {} },
    open: async () => ({ client, tools: [], ended: new Promise<string>(() => {}), stop: async () => {} }),
  })
  const deps = {
    held: { connection, calls: new Set() },
    ...{ server: { call_ms: 300_000 }, limits: {}, catalog: { find: () => ({ hash: '1' }) } },
  }
  const call = (signal: AbortSignal) =>
    callServer(deps as never, { server: 'x', tool: 'pay', hash: '1' } as never, {}, { signal } as never)
  await expect(call(AbortSignal.abort())).rejects.toMatchObject({ code: 'mcp_lost' })
  await connection.use(async () => {})
  expect(pings).toBe(0)
  await expect(call(new AbortController().signal)).rejects.toMatchObject({ code: 'mcp_lost' })
  await connection.use(async () => {})
  expect(pings).toBe(1)
})
