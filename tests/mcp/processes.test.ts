import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { graceMs } from '../../src/capabilities/mcp/process/process.ts'
import { begunBefore } from '../support/begun-before.ts'
import { openPlace } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { withoutSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'
import { botWith, isRunning, program, unruly, untilKnown } from './support.ts'

test('a bot that was killed leaves no server behind once it is back, and repeats no call', async () => {
  const { server, noted } = await unruly({}, 'stubborn')
  const place = await openPlace({
    script: [calls('mcp__x__child', {}), calls('mcp__x__hang', {}), says('I don’t know whether it worked.')],
    files: { 'mcp_servers.yaml': JSON.stringify({ servers: { x: server } }) },
  })
  const life = await place.start()
  await untilKnown(life.chat)
  const response = await life.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await until('the call', () => noted('calls').includes('hang'))
  await response.body?.cancel()
  const before = [...noted('starts'), ...noted('children')]
  life.signal('SIGKILL')
  await life.ended
  expect(before.every(isRunning)).toBe(true)

  const next = await place.start()
  const done = await next.chat.untilType(conversation, 'complete')
  expect(done.data).toMatchObject({ content: 'I don’t know whether it worked.' })
  expect(before.filter(isRunning)).toEqual([])
  const results = ofType(await next.chat.events(conversation), 'observe').map(({ data }) => data.status)
  expect(results).toEqual(['done', 'unknown'])
  expect(noted('calls')).toEqual(['child', 'hang'])
  // Its tools are known, so it isn't started before somebody needs it.
  expect(noted('starts')).toHaveLength(1)
  next.signal('SIGTERM')
  expect(await next.ended).toBe(0)
})

const args = ['--input-type=module', '-e', readFileSync(program, 'utf8'), 'server', '/workspace']

test.skipIf(withoutSandbox)('in the sandbox a server sees its own folder and nothing of ours', async () => {
  const script = [
    calls('mcp__x__environment', {}, ['mcp__x__roots', {}], ['mcp__x__child', {}]),
    calls('mcp__x__crash', {}),
    says('Done.'),
  ]
  const server = { command: 'node', args, sandbox: true, env: { SECRET: 'one' } }
  const bot = await botWith(
    { x: server },
    { script, config: { rules: { approvals: false }, agent: { parallelCalls: 1 } } },
  )
  const { events } = await bot.chat.say('go')
  const results = ofType(events, 'observe').map(({ data }) => data.result)
  expect(results[0]).toMatch(/\bHOME\b.*\bSECRET\b/)
  expect(JSON.parse(results[1] ?? '')).toEqual([{ uri: 'file:///workspace', name: 'workspace' }])
  expect(results[3]).toMatch(/^Unknown outcome/)
  const folder = join(bot.dataDir, 'mcp/servers/x')
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('environment\nroots\nchild\ncrash\n')
})

test.skipIf(withoutSandbox).each([
  ['ends by itself once its input is closed', []],
  ['is ended if it stays', ['stubborn']],
])('in the sandbox a server that is stopped %s', async (_, modes) => {
  const server = { command: 'node', args: [...args, ...modes], sandbox: true }
  const bot = await botWith({ x: server })
  const noted = join(bot.dataDir, 'mcp/servers/x/closed')
  const { closed } = graceMs
  onTestFinished(() => {
    graceMs.closed = closed
  })
  await begunBefore(
    async (timeoutMs) => {
      graceMs.closed = timeoutMs
      await bot.chat.post('/mcp/servers/x/start', {})
      const stopped = await bot.chat.post('/mcp/servers/x/stop', {})
      expect(await stopped.json()).toMatchObject({ state: 'stopped' })
    },
    () => existsSync(noted) && readFileSync(noted, 'utf8') !== '',
  )
  expect(readFileSync(noted, 'utf8')).toMatch(/^\d+\n$/)
})
