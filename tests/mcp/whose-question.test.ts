import { expect, test } from 'vitest'
import { callServer } from '../../src/capabilities/mcp/call.ts'
import { hashOf } from '../../src/capabilities/mcp/catalog.ts'
import { Connection } from '../../src/capabilities/mcp/connection.ts'
import { hostOf } from '../../src/capabilities/mcp/host.ts'
import type { OpenCalls } from '../../src/capabilities/mcp/open-calls.ts'
import type { McpHost } from '../../src/capabilities/mcp/port.ts'
import { noAnswer } from '../../src/capabilities/mcp/sdk/failures.ts'
import { ofType } from '../support/client.ts'
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
  const server = { call_ms: 300_000, tools: {}, scope }
  const deps = { server, limits: { answerMs: 300_000 }, catalog: { agree: async () => {} }, mask: String }
  const nothing = () => undefined
  const starts: { calls: OpenCalls; host: McpHost }[] = []
  const connection: Connection = new Connection({
    ...{ name: 'x', now: () => 0, startMs: 300_000, learned: async () => {}, report: () => {}, mask: String },
    async open() {
      const calls: OpenCalls = new Set()
      const own = { name: 'x', calls, renew: () => connection.renew(), bot: {} }
      starts.push({ calls, host: hostOf({ ...deps, ...own } as never, undefined, nothing, nothing) })
      return { client, tools: [pay], calls, ended: new Promise<string>(() => {}), stop: async () => {} }
    },
  })
  const asked: string[] = []
  const open = () => [...(starts.at(-1)?.calls ?? [])].filter((one) => 'context' in one)
  /** Makes a call. Returns what stops it. */
  const call = async (thread: string) => {
    const stopped = new AbortController()
    const ask = async () => {
      asked.push(thread)
      return { declined: true, option_ids: [], text: '' }
    }
    const ref = { server: 'x', tool: 'pay', hash: hashOf(pay) }
    const held = { connection, place: '' }
    const made = callServer({ held, ...deps } as never, ref, {}, { signal: stopped.signal, ask } as never)
    const over = made.catch(() => undefined)
    await until('the call', () => open().length === 1)
    return async () => {
      stopped.abort(new Error('stopped'))
      await over
    }
  }
  const elicit = () => starts.at(-1)?.host.elicit({ message: 'Deploy?', fields: [] }, AbortSignal.any([]))
  return { asked, call, connection, elicit, starts }
}

test.each([
  ['shared', [], 'cancel', 2],
  ['session', ['b'], 'decline', 1],
] as const)(
  'what a server with scope: %s asks after a call was given up is asked in %j',
  async (scope, where, action, starts) => {
    const server = heedless(scope)
    const stopFirst = await server.call('a')
    expect(await server.elicit()).toEqual({ action: 'decline' })
    expect(server.asked.splice(0)).toEqual(['a'])
    await stopFirst()
    const stopSecond = await server.call('b')
    expect(await server.elicit()).toEqual({ action })
    expect(server.asked.splice(0)).toEqual(where)
    await stopSecond()
    const stopThird = await server.call('c')
    expect(await server.elicit()).toEqual({ action: 'decline' })
    expect(server.asked).toEqual(['c'])
    expect(server.starts).toHaveLength(starts)
    await stopThird()
  },
)

test('a shared server whose own question comes after its call was stopped isn’t started again', async () => {
  const server = heedless('shared')
  const stopFirst = await server.call('a')
  await stopFirst()
  expect(await server.elicit()).toEqual({ action: 'cancel' })
  const stopSecond = await server.call('b')
  expect(server.asked).toEqual([])
  expect(server.starts).toHaveLength(1)
  await stopSecond()
})

test('a shared server isn’t started again at its own wish either', async () => {
  const server = heedless('shared')
  const stopFirst = await server.call('a')
  await stopFirst()
  const stopSecond = await server.call('b')
  await server.elicit()
  await stopSecond()
  await server.connection.use(async () => {}, { byItself: true })
  expect(server.starts).toHaveLength(1)
  await server.connection.use(async () => {})
  expect(server.starts).toHaveLength(2)
})

test('a shared server that couldn’t ask anything since a call was stopped can once it has been started again', async () => {
  const { server, noted } = await unruly()
  const form = () => [calls('mcp__x__form', {}), says('Done.')]
  const script = [calls('mcp__x__hang', {}), ...form(), ...form()]
  const bot = await botWith({ x: server }, { script, config: { rules: { approvals: false } } })
  const response = await bot.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await until('the call', () => noted('calls').includes('hang'))
  await bot.chat.post(`/agent/conversations/${conversation}/stop`, {})
  await response.body?.cancel()
  const { events } = await bot.chat.say('book', { conversation })
  expect(ofType(events, 'observe').at(-1)?.data.result).toBe('{"action":"cancel"}')
  const said = bot.chat.say('book', { conversation })
  const { id } = await until('a question', async () => (await bot.chat.requests())[0])
  await bot.chat.answer(id, { declined: true })
  expect(ofType((await said).events, 'observe').at(-1)?.data.result).toBe('{"action":"decline"}')
  expect(noted('starts')).toHaveLength(2)
})

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
