import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { atServer, postgresDatabase } from '../support/database.ts'
import { hang, says } from '../support/model-server.ts'
import { careful } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { patient, steady } from './support.ts'

/** How long the second waits for the first. */
const settings = { engine: { silent_ms: 10_000 } }

async function places() {
  const DATABASE_URL = await postgresDatabase()
  const place = (BOBBIN_NODE: string, script: Parameters<typeof openPlace>[0]) =>
    openPlace({ settings, ...script, environment: { DATABASE_URL, BOBBIN_NODE } })
  return { DATABASE_URL, place }
}

/** The first runs a turn that hangs, and the second would finish it. */
async function inTheMiddle() {
  const { DATABASE_URL, place } = await places()
  const first = await (await place('one', { script: () => hang(2), settings: steady })).start()
  const response = await first.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  const second = await (await place('two', { script: [says('Done.')] })).start()
  await second.chat.untilType(conversation, 'start')
  return { DATABASE_URL, first, response, conversation, second }
}

const holders = (url: string) => atServer<{ name: string }>(url, 'select name from locks order by name')

test('a process is killed in the middle of a turn: another one finishes it, and answers once', async () => {
  const { DATABASE_URL, first, response, conversation, second } = await inTheMiddle()
  await until(
    'the model to be asked',
    async () => (await atServer(DATABASE_URL, "select 1 from bobbin_engine.job where state = 'active'")).length === 1,
  )
  first.signal('SIGKILL')
  await first.ended
  await response.body?.cancel().catch(() => {})
  await second.chat.untilType(conversation, 'complete')
  await until(
    'the answer',
    async () => (await atServer(DATABASE_URL, "select 1 from outbox where state = 'pending'")).length === 0,
  )
  const events = await second.chat.events(conversation)
  expect(ofType(events, 'complete').map(({ data }) => data.content)).toEqual(['Done.'])
  expect(ofType(events, 'message').filter(({ data }) => data.role === 'assistant')).toHaveLength(1)
  expect(await holders(DATABASE_URL)).toEqual([{ name: 'node two' }])
})

test('a process that is told to end leaves its turn to another one at once', async () => {
  const { DATABASE_URL, first, response, conversation, second } = await inTheMiddle()
  first.signal('SIGTERM')
  await first.ended
  await response.body?.cancel().catch(() => {})
  await second.chat.untilType(conversation, 'complete')
  expect(ofType(await second.chat.events(conversation), 'complete')).toHaveLength(1)
  await until('the end of the first', async () => (await holders(DATABASE_URL)).length === 1)
})

test('two with one name, and one without a name, are refused in a sentence; the next life of a killed one goes on', async () => {
  const { DATABASE_URL, place } = await places()
  // Nobody may take it for silent. It beats five times as often, and whoever has its name waits for that.
  const settings = { engine: { silent_ms: 30_000 } }
  const home = await place('one', { script: [hang(2), says('Done.')], settings })
  const first = await home.start()
  const same = (await place('one', { settings })).launch()
  expect(await same.ended).toBe(1)
  expect(same.said()).toContain('Another Bobbin is running as one on this database')
  const nameless = (await openPlace({ environment: { DATABASE_URL } })).launch()
  expect(await nameless.ended).toBe(1)
  expect(nameless.said()).toContain('DATABASE_URL is set, but BOBBIN_NODE is missing.')
  const response = await first.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await until('the model to be asked', () => home.model.requests.length === 1)
  first.signal('SIGKILL')
  await first.ended
  await response.body?.cancel().catch(() => {})
  const next = await home.start()
  await next.chat.untilType(conversation, 'complete')
  expect(ofType(await next.chat.events(conversation), 'complete')).toHaveLength(1)
})

test('several that start at once on an empty database share it', async () => {
  const DATABASE_URL = await postgresDatabase('empty')
  const script = () => says('Hello.')
  const start = async (BOBBIN_NODE: string) =>
    (await openPlace({ script, settings: patient, environment: { DATABASE_URL, BOBBIN_NODE } })).start()
  const lives = await Promise.all(['one', 'two', 'three'].map(start))
  for (const { chat } of lives) expect((await chat.say('hi')).text).toBe('Hello.')
  expect(await holders(DATABASE_URL)).toHaveLength(3)
})

test('a user who may not create the engine’s schema is told so', async () => {
  const url = new URL(await postgresDatabase('empty'))
  await atServer(url.href, `grant all on schema public to ${careful.user}`)
  url.searchParams.set('user', careful.user)
  url.searchParams.set('password', careful.password)
  const life = (await openPlace({ environment: { DATABASE_URL: url.href, BOBBIN_NODE: 'one' } })).launch()
  expect(await life.ended).toBe(1)
  expect(life.said()).toContain('allowed to create the schema bobbin_engine')
})
