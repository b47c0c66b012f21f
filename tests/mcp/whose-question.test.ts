import { expect, test } from 'vitest'
import { callServer } from '../../src/capabilities/mcp/call.ts'
import { hashOf } from '../../src/capabilities/mcp/catalog.ts'
import { Connection } from '../../src/capabilities/mcp/connection.ts'
import { hostOf } from '../../src/capabilities/mcp/host.ts'
import { noAnswer } from '../../src/capabilities/mcp/sdk/failures.ts'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { botWith, unruly } from './support.ts'

/** A server that heeds no cancelling, and whose calls end when they are given up. */
function heedless(scope: 'shared' | 'session') {
  const pay = { name: 'pay', description: '', parameters: {}, destructive: false }
  const client = {
    ...{ about: '', listTools: async () => [], close: async () => {}, ping: async () => {} },
    call: (_tool: string, _input: object, signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.onabort = () => reject(noAnswer(signal.reason, String))
      }),
  }
  const connection = new Connection({
    ...{ name: 'x', now: () => 0, startMs: 300_000, learned: async () => {}, report: () => {}, mask: String },
    open: async () => ({ client, tools: [pay], ended: new Promise<string>(() => {}), stop: async () => {} }),
  })
  const open = new Set<object>()
  const server = { call_ms: 300_000, tools: {}, scope }
  const deps = {
    held: { connection, calls: open, place: '' },
    ...{ server, limits: { answerMs: 300_000 }, catalog: { agree: async () => {} }, mask: String },
  }
  const asked: string[] = []
  const call = async (thread: string, signal: AbortSignal) => {
    const before = open.size
    const ask = async () => {
      asked.push(thread)
      return { declined: true, option_ids: [], text: '' }
    }
    const ref = { server: 'x', tool: 'pay', hash: hashOf(pay) }
    void callServer(deps as never, ref, {}, { signal, ask } as never).catch(() => undefined)
    await until('the call', () => open.size > before)
  }
  const nothing = () => undefined
  const host = hostOf({ ...deps, name: 'x', calls: open, bot: {} } as never, undefined, nothing, nothing)
  const elicit = () => host.elicit({ message: 'Deploy to production?', fields: [] }, AbortSignal.any([]))
  return { asked, call, elicit, open }
}

test.each([
  ['shared', [], 'cancel'],
  ['session', ['b'], 'decline'],
] as const)(
  'what a server with scope: %s asks after a call was given up is asked in %j',
  async (scope, where, action) => {
    const { asked, call, elicit, open } = heedless(scope)
    const first = new AbortController()
    await call('a', first.signal)
    expect(await elicit()).toEqual({ action: 'decline' })
    expect(asked.splice(0)).toEqual(['a'])
    first.abort(new Error('stopped'))
    await until('its end', () => ![...open].some((one) => 'context' in one))
    const second = new AbortController()
    await call('b', second.signal)
    expect(await elicit()).toEqual({ action })
    expect(asked).toEqual(where)
    second.abort()
  },
)

test('the question of a call that was made by hand isn’t put to the thread that has one under way', async () => {
  const { server, noted } = await unruly()
  const bot = await botWith(
    { x: server },
    { script: [calls('mcp__x__hang', {}), says('Done.')], config: { rules: { approvals: false } } },
  )
  const response = await bot.chat.send('go')
  await until('the call', () => noted('calls').includes('hang'))
  const byHand = await bot.chat.post('/mcp/servers/x/call', { tool: 'form' })
  expect(await byHand.json()).toMatchObject({ content: [{ text: '{"action":"cancel"}' }] })
  await response.body?.cancel()
})
