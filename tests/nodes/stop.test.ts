import { expect, test } from 'vitest'
import { hang } from '../support/model-server.ts'
import { throughPooler } from '../support/pooler.ts'
import { until } from '../support/until.ts'
import { openNodes } from './support.ts'

const rounds = 15

test('a turn is stopped from another process: the one that runs it gives the model’s reply up at once', async () => {
  const nodes = await openNodes({ script: () => hang(2) })
  const places = await Promise.all(['one', 'two'].map((name) => nodes.place(name)))
  const lives = await Promise.all(places.map((place) => place.start()))
  const tookMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const asked = places.map(({ model }) => model.requests.length)
    const response = await lives[0]?.chat.send('go')
    const conversation = response?.headers.get('x-conversation-id') ?? ''
    const runs = () => places.findIndex(({ model }, place) => model.requests.length > (asked[place] ?? 0))
    await until('the model to be asked', () => runs() >= 0)
    const [here, there] = [runs(), 1 - runs()]
    await lives[there]?.chat.until(conversation, ({ type }) => type === 'text_delta')
    const before = performance.now()
    const gone = places[here]?.model.givenUp ?? []
    const { length } = gone
    await lives[there]?.chat.post(`/agent/conversations/${conversation}/stop`)
    await until('the end of the run', () => gone.length > length)
    tookMs.push((gone.at(-1) ?? 0) - before)
    await response?.body?.cancel()
  }
  expect(tookMs).toHaveLength(rounds)
  const sorted = tookMs.toSorted((a, b) => a - b).map(Math.round)
  console.log(`stopped from another process after ${sorted.join(', ')} ms`)
})

test('a stop of which the process that runs the turn couldn’t be told is noticed there', async () => {
  const nodes = await openNodes({ script: () => hang(2) })
  // Nothing that processes tell each other comes through it.
  const environment = { DATABASE_URL: (await throughPooler(nodes.url, 40)).url }
  const places = await Promise.all(['one', 'two'].map((name) => nodes.place(name, { environment })))
  const lives = await Promise.all(places.map((place) => place.start()))
  const response = await lives[0]?.chat.send('go')
  const conversation = response?.headers.get('x-conversation-id') ?? ''
  const runs = () => places.findIndex(({ model }) => model.requests.length > 0)
  await until('the model to be asked', () => runs() >= 0)
  const [here, there] = [runs(), 1 - runs()]
  await lives[here]?.chat.until(conversation, ({ type }) => type === 'text_delta')
  await lives[there]?.chat.post(`/agent/conversations/${conversation}/stop`)
  await until('the end of the run', () => (places[here]?.model.givenUp.length ?? 0) > 0)
  await response?.body?.cancel()
})
