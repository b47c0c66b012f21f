import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import { breakable } from '../store/postgres/cut-connection.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { atServer, postgresDatabase } from '../support/database.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

test('a process that couldn’t reach the server for a while keeps its turn: a call is neither lost nor made twice', async () => {
  const url = await postgresDatabase()
  const link = await breakable(url)
  const go = Promise.withResolvers<void>()
  const runs: string[] = []
  const running = (node: string) =>
    defineTool({
      ...{ kind: 'run', name: 'wait', description: 'Waits.', effect: 'read', timeoutMs: 600_000 },
      input: z.strictObject({}),
      async run() {
        runs.push(node)
        await go.promise
        return 'Waited.'
      },
    })
  // A call whose outcome is unknown is ordered again.
  const script = ({ messages }: RequestBody) =>
    JSON.stringify(messages.at(-1)).includes('Waited.') ? says('Ready.') : calls('wait', {})
  const start = (node: string, DATABASE_URL: string, more: Record<string, string> = {}) =>
    startTestBot({
      ...{ script, plugins: [{ name: 'waiting', tools: [running(node)] }] },
      environment: { DATABASE_URL, BOBBIN_NODE: node, ...more },
      config: { engine: { sweepMs: 200 } },
    })
  const one = await start('one', link.url)
  const { headers, body } = await one.chat.send('go')
  const conversation = headers.get('x-conversation-id') ?? ''
  await until('the call to run', () => runs.length === 1)
  const two = await start('two', url, { BOBBIN_DATA_DIR: one.dataDir })

  await link.away()
  // As when that has lasted for long, in a queue that an older version made.
  const age = `update bobbin_engine.job set heartbeat_on = now() - interval '1 hour', heartbeat_seconds = 10`
  await atServer(url, `${age} where state = 'active'`)
  // So that each process has looked for wakes, too, which it does every second.
  for (const end = Date.now() + 2_500; Date.now() < end; ) {
    await atServer(url, `insert into bobbin_engine.job (name, state) values ('sessions', 'active')`)
    const claims = () => atServer(url, `select 1 from bobbin_engine.job where state = 'active'`)
    await until('what nobody holds to be ended', async () => runs.length > 1 || (await claims()).length < 2)
  }
  await link.back()
  go.resolve()
  await two.chat.untilType(conversation, 'complete')
  await body?.cancel()
  expect(ofType(await two.chat.events(conversation), 'complete').map(({ data }) => data.content)).toEqual(['Ready.'])
  expect(runs).toEqual(['one'])
  expect(await atServer(url, 'select state, attempt from calls')).toEqual([{ state: 'done', attempt: '1' }])
})
