import { expect, test } from 'vitest'
import { type Life, openPlace } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { atServer, postgresDatabase } from '../support/database.ts'
import { calls, says } from '../support/model-server.ts'
import { eventually, until } from '../support/until.ts'

const killer = `
  import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
  const run = () => void process.kill(process.pid, 'SIGKILL')
  export default () => ({
    name: 'killer',
    tools: [{ kind: 'run', name: 'kill', description: 'kill', input: z.strictObject({}), effect: 'read', repeatable: true, run }],
  })`

test('a turn that kills each process it runs on ends after three; the next process says so', async () => {
  const DATABASE_URL = await postgresDatabase()
  const start = async (BOBBIN_NODE: string): Promise<Life> => {
    const script = ({ messages }: { messages: { content?: unknown }[] }) =>
      messages.some(({ content }) => `${content}`.includes('deadly')) ? calls('kill', {}) : says('Fine.')
    // A process on a busy machine may not be heard of for some seconds.
    const settings = { engine: { silent_ms: 10_000 } }
    return (await openPlace({ plugin: killer, script, settings, environment: { DATABASE_URL, BOBBIN_NODE } })).start()
  }
  const lives = await Promise.all(['one', 'two', 'three', 'four'].map(start))
  const ended = new Map<Life, number | string>()
  for (const life of lives) void life.ended.then((how) => ended.set(life, how))
  const first = lives[0] as Life
  const response = await first.chat.send('something deadly')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await response.body?.cancel().catch(() => {})
  await until(
    'the end of the turn',
    async () => (await atServer(DATABASE_URL, "select 1 from turns where state = 'failed'")).length === 1,
  )
  // A process that is slow may lose the turn to another one, which counts as well.
  expect([1, 2, 3]).toContain([...ended.values()].filter((how) => how === 'SIGKILL').length)
  // One that was taken for silent may still be there, and ends at its next beat.
  await eventually(async () => {
    const last = lives.find((life) => !ended.has(life))
    if (last === undefined) throw new Error('none is left')
    expect(ofType(await last.chat.events(conversation), 'error')).toMatchObject([{ data: { code: 'process_died' } }])
    expect((await last.chat.say('and again', { key: 'again' })).text).toBe('Fine.')
  })
  expect(await atServer(DATABASE_URL, 'select deaths from turns where deaths > 0')).toEqual([])
})
