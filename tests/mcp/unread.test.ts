import { PassThrough } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { hostOf } from '../../src/capabilities/mcp/host.ts'
import type { OpenCall } from '../../src/capabilities/mcp/open-calls.ts'
import { Patience } from '../../src/capabilities/mcp/patience.ts'
import { GuardedTransport } from '../../src/capabilities/mcp/sdk/guarded-transport.ts'
import { StdioTransport } from '../../src/capabilities/mcp/sdk/stdio-transport.ts'

/** A server on pipes that never reads, and what ended the link to it. */
async function unread() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = new StdioTransport({ kind: 'stdio', input, output } as never, 10_000)
  const seen = { ended: '', taken: 0 }
  transport.onerror = ({ message }) => {
    seen.ended = message
  }
  transport.onmessage = () => {
    seen.taken++
  }
  await transport.start()
  return { transport, output, seen }
}

test('a server that never reads our answers is left before they fill the memory', async () => {
  const { transport, seen } = await unread()
  const answer = { jsonrpc: '2.0' as const, id: 'x'.repeat(200), result: {} }
  for (let sent = 0; sent < 1_000 && seen.ended === ''; sent++) await transport.send(answer)
  expect(seen.ended).toBe('it doesn’t read our answers')
})

/** What the client sees of a server, over whatever transport, and how to make that server speak. */
async function spoken() {
  const inner: Transport = { start: async () => {}, send: async () => {}, close: async () => {} }
  const transport = new GuardedTransport(inner)
  const seen = { ended: '', taken: 0, closed: 0 }
  transport.onerror = ({ message }) => {
    seen.ended = message
  }
  transport.onclose = () => {
    seen.closed++
  }
  transport.onmessage = () => {
    seen.taken++
  }
  await transport.start()
  const says = (message: object) => inner.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage)
  return { transport, inner, seen, says }
}

test('so is one whose requests have ids that are too long to send back', async () => {
  const { says, seen } = await spoken()
  says({ id: 'x'.repeat(256), method: 'ping' })
  expect(seen).toEqual({ ended: '', taken: 1, closed: 0 })
  says({ id: 'x'.repeat(257), method: 'ping' })
  says({ id: 1, method: 'ping' })
  expect(seen).toEqual({ ended: 'it sent a message with a very long id', taken: 1, closed: 1 })
})

test.each([
  { what: 'requests', said: { id: 1, method: 'ping' } },
  { what: 'notifications', said: { method: 'notifications/message' } },
  { what: 'answers that nobody waits for', said: { id: 7, result: {} } },
])('over any transport, a server that floods us with $what is left', async ({ said }) => {
  const { transport, says, seen } = await spoken()
  await transport.send({ jsonrpc: '2.0', id: 8, method: 'tools/list' })
  for (let sent = 0; sent < 15_000; sent++) says(said)
  expect(seen).toMatchObject({ ended: '', closed: 0 })
  const before = seen.taken
  says({ id: 8, result: {} })
  expect(seen.taken).toBe(before + 1)
  // A few are taken each second, which doesn't make it a quiet server.
  for (let sent = 0; sent < 2_000_000 && seen.closed === 0; sent++) says(said)
  expect(seen).toMatchObject({ ended: 'it floods us with messages', closed: 1 })
})

test('so is one that floods us with what are no messages', async () => {
  const { inner, seen } = await spoken()
  for (let sent = 0; sent < 2_000_000 && seen.closed === 0; sent++) inner.onerror?.(new Error('not JSON'))
  expect(seen).toMatchObject({ ended: 'it floods us with messages', closed: 1 })
})

test('a program may print lines of its own, as long as it doesn’t flood us with them', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = new GuardedTransport(new StdioTransport({ kind: 'stdio', input, output } as never, 10_000))
  const [answered, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const taken: JSONRPCMessage[] = []
  transport.onmessage = (message) => {
    taken.push(message)
    if ('result' in message) answered.resolve()
  }
  transport.onclose = closed.resolve
  await transport.start()
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  output.write('working on it\n'.repeat(5_000))
  output.write('{"jsonrpc":"2.0","id":7,"method":"roots/list"}\n'.repeat(500))
  output.write('{"jsonrpc":"2.0","id":1,"result":{}}\n')
  await Promise.race([answered.promise, closed.promise])
  // Nor do they keep its requests from us.
  expect(taken).toHaveLength(501)
  output.write('working on it\n'.repeat(500_000))
  await closed.promise
  expect(transport.endedBy?.message).toBe('it floods us with lines that aren’t messages')
})

test('at most sixteen answers wait for a server to read them, and our own requests still go out', async () => {
  const sent: string[] = []
  let read = () => {}
  const reading = new Promise<void>((resolve) => {
    read = resolve
  })
  const transport = new GuardedTransport({
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      sent.push('method' in message ? message.method : 'answer')
      if (!('method' in message)) await reading
    },
  })
  const answer = { jsonrpc: '2.0' as const, id: 1, result: {} }
  const waiting = Array.from({ length: 16 }, () => transport.send(answer))
  const another = transport.send(answer).catch(({ message }) => message)
  await transport.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
  expect(sent).toEqual([...Array(16).fill('answer'), 'ping'])
  expect(await another).toBe('it doesn’t read our answers')
  read()
  await Promise.all(waiting)
  await transport.send(answer)
  expect(sent).toEqual([...Array(16).fill('answer'), 'ping', 'answer'])
})

test('within one call, a server asks people ten questions at most', async () => {
  let asked = 0
  const ask = async () => {
    asked++
    return { declined: true, option_ids: [], text: '' }
  }
  const patience = new Patience(300_000)
  onTestFinished(() => patience.end())
  const notes = new Set<string>()
  const call = { tool: 't', patience, notes, context: { ask } } as unknown as OpenCall
  const deps = { name: 's', server: {}, calls: new Set([call]), bot: {}, limits: { answerMs: 300_000 }, mask: String }
  const host = hostOf(
    deps as never,
    undefined,
    () => undefined,
    () => undefined,
  )
  const answers = []
  for (let at = 0; at < 11; at++)
    answers.push(await host.elicit({ message: 'm', fields: [] }, new AbortController().signal))
  expect(answers.map(({ action }) => action)).toEqual([...Array(10).fill('decline'), 'cancel'])
  expect(asked).toBe(10)
})

test('our own request may be larger than a message of the server, and delays its answers without ending it', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = new StdioTransport({ kind: 'stdio', input, output } as never, 10_000)
  const ended: string[] = []
  transport.onerror = ({ message }) => ended.push(message)
  await transport.start()
  const params = { name: 'tool', arguments: { text: 'x'.repeat(100_000) } }
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
  expect(ended).toEqual([])
})
