import { expect, onTestFinished, test } from 'vitest'
import { spending } from '../../src/capabilities/spending/spending.ts'
import type { BudgetLimit } from '../../src/config/config.ts'
import { Unavailable } from '../../src/kit/failure.ts'
import { type Model, ModelFailure } from '../../src/kit/model/model.ts'
import { Answerers } from '../../src/model/answerers.ts'
import { takeLock } from '../../src/store/lock.ts'
import { createTurn } from '../../src/store/turns.ts'
import { embedAside } from '../../src/turn/ask/embed-aside.ts'
import { writeAside } from '../../src/turn/ask/write-aside.ts'
import { Capabilities } from '../../src/turn/hooks/capabilities.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { slotAt } from '../support/model-client.ts'
import { rethrow } from '../support/resting.ts'
import { turnServices } from '../support/services.ts'
import { ana, newSession, openStore } from '../support/store.ts'

const price = { input: 1, output: 10 }
const budget: BudgetLimit[] = [{ per: 'day', usd: 1 }]
const { signal } = new AbortController()

/** `asked` is called when a model is asked, and its reply waits for what that returns. */
async function open(limits: BudgetLimit[], asked: () => unknown) {
  const store = await openStore()
  const { id } = await newSession(store)
  await store.transaction((tx) => createTurn(tx, id, 1, { person: ana, timeZone: 'UTC' }))
  const model: Model = {
    ...{ name: 'scripted', practice: false, contextLimit: 10_000, outputLimit: 1_000 },
    async *stream() {
      await asked()
      yield { kind: 'text', text: 'In short.' }
      yield { kind: 'end', finish: 'stop', usage: { input: 100, output: 10, cached: 0 } }
    },
  }
  const embeddings = await startEmbeddingServer(
    () => [1, 0],
    () => void asked(),
  )
  onTestFinished(() => embeddings.close())
  const services = await turnServices(store)
  const embedding = slotAt(embeddings.url, { id: 'vectors', price })
  const config = { ...services.config, budgets: { limits }, model: { ...services.config.model, embedding } }
  const bot = {
    ...services,
    config,
    capabilities: new Capabilities([spending], config, (_, __, thrown) => rethrow(thrown)),
    answerers: new Answerers([{ slot: 'base', model, price }], { afterFailures: 2, restMs: 1_000 }),
  }
  const order = { system: 'Summarise it.', text: 'A long text.', tool: 'summarize' }
  return {
    store,
    write: (holder = 'node_a') => writeAside({ ...bot, holder }, id, order, signal),
    embed: () => embedAside(bot, id, { texts: ['a text'], tool: 'search_file' }, signal),
    usage: () => store.db.selectFrom('usage').select(['state', 'tokens_in', 'tools']).execute(),
  }
}

/** A bot whose database goes away whenever a model is asked, until somebody has tried to write. */
async function openShaky(limits: BudgetLimit[], refusal?: Error) {
  let asked = 0
  const opened = await open(limits, () => {
    asked++
    const { store } = opened
    const { transaction } = store
    store.transaction = async () => {
      store.transaction = transaction
      throw new Unavailable('database_unreachable', 'The server is away.', 'Start it', { passes: true })
    }
    if (refusal !== undefined) throw refusal
  })
  return { ...opened, asked: () => asked }
}

test.for([
  ['without', []],
  ['within', budget],
] as const)(
  'what a model writes aside %s a budget while the database is away is stored when it is back',
  async ([, limits]) => {
    const { write, asked, usage } = await openShaky([...limits])
    expect(await write()).toBe('In short.')
    expect(asked()).toBe(1)
    expect(await usage()).toEqual([{ state: 'settled', tokens_in: 100, tools: 'summarize' }])
  },
)

test('so are vectors', async () => {
  const { embed, asked, usage } = await openShaky(budget)
  expect(await embed()).toHaveLength(1)
  expect(asked()).toBe(1)
  expect(await usage()).toMatchObject([{ state: 'settled', tools: 'search_file' }])
})

test('what was reserved for a call that cost nothing is given back, though the database was away', async () => {
  const { write, usage } = await openShaky(budget, new ModelFailure('refused', 'No.', false))
  await expect(write()).rejects.toThrow('No.')
  expect(await usage()).toEqual([])
})

test.for([
  ['without', []],
  ['within', budget],
] as const)('what empty replies written aside took %s a budget is stored', async ([, limits]) => {
  const taken = { input: 300, output: 30, cached: 0 }
  const { write, usage } = await openShaky(
    [...limits],
    new ModelFailure('empty', 'Nothing.', false, undefined, { usage: taken }),
  )
  await expect(write()).rejects.toThrow('Nothing.')
  expect(await usage()).toEqual([{ state: 'settled', tokens_in: 300, tools: 'summarize' }])
})

test.for(['works', 'costs nothing'])(
  'nobody waits for a call of a process that is gone: what it had reserved counts as spent, unless it wakes up and %s',
  async (how) => {
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const { store, write, usage } = await open([{ per: 'day', usd: 0.01 }], () => {
      asked.resolve()
      return gate.promise
    })
    const lock = { host: 'here', pid: 1 }
    await takeLock(store, { ...lock, holder: 'node_a' }, () => undefined)
    const frozen = write('node_a')
    await asked.promise
    await takeLock(store, { ...lock, holder: 'node_b' }, () => 'silent')
    await expect(write('node_b')).rejects.toThrow('The budget of $0.01 for all of us today is used up.')
    expect(await usage()).toMatchObject([{ state: 'lost' }])
    if (how === 'works') gate.resolve()
    else gate.reject(new ModelFailure('refused', 'No.', false))
    expect(await frozen.catch(({ message }) => message)).toBe(how === 'works' ? 'In short.' : 'No.')
    expect(await usage()).toMatchObject(how === 'works' ? [{ state: 'settled', tokens_in: 100 }] : [])
  },
)
