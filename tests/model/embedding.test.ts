import { expect, onTestFinished, test } from 'vitest'
import { type EmbeddingSlot, ModelFailure } from '../../src/kit/model/model.ts'
import { embeddingModel } from '../../src/model/embedding.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { patienceWith, slotAt } from '../support/model-client.ts'

const letters = (text: string) => ['a', 'b', 'c'].map((letter) => text.split(letter).length - 1)
const never = new AbortController().signal

async function modelFor(odd?: Parameters<typeof startEmbeddingServer>[1], slot: Partial<EmbeddingSlot> = {}) {
  const server = await startEmbeddingServer(letters, odd)
  onTestFinished(() => server.close())
  return { server, model: embeddingModel(slotAt(server.url, { id: 'vec', ...slot }), patienceWith({ attempts: 3 })) }
}

async function failureOf(...given: Parameters<typeof modelFor>) {
  const { model, server } = await modelFor(...given)
  const failure = await model.embed(['a', 'b'], never).catch((thrown: unknown) => thrown)
  if (!(failure instanceof ModelFailure)) throw new Error('no ModelFailure', { cause: failure })
  return { failure, server }
}

test('texts become vectors of unit length, in their order, and their tokens are counted', async () => {
  const { model, server } = await modelFor((_, number) =>
    number > 0
      ? undefined
      : {
          vectors: [
            { index: 1, embedding: [0, 2, 0] },
            { index: 0, embedding: [3, 4, 0] },
          ],
        },
  )
  const { vectors, usage } = await model.embed(['aab', 'b'], never)
  expect(vectors.map((vector) => [...vector].map((one) => Math.round(one * 100) / 100))).toEqual([
    [0.6, 0.8, 0],
    [0, 1, 0],
  ])
  expect(usage).toEqual({ input: 2, output: 0, cached: 0 })
  expect(server.requests).toEqual([{ model: 'vec', input: ['aab', 'b'], encoding_format: 'float' }])
})

test('a count of no tokens is none', async () => {
  const { model } = await modelFor(() => ({ vectors: [{ index: 0, embedding: [1, 0, 0] }], tokens: 0 }))
  expect((await model.embed(['a'], never)).usage).toBeUndefined()
})

test('dimensions are asked for when they are set, and a text is cut to what the model takes', async () => {
  const { model, server } = await modelFor(undefined, { dimensions: 3, contextLimit: 10 })
  await model.embed(['abc'.repeat(10)], never)
  expect(server.requests).toMatchObject([{ dimensions: 3, input: ['abcabcabca'] }])
})

test('a failure that passes is tried again', async () => {
  const { model, server } = await modelFor((_, number) => (number === 0 ? { status: 503 } : undefined))
  expect((await model.embed(['a'], never)).vectors).toHaveLength(1)
  expect(server.requests).toHaveLength(2)
})

test('a refused key names its variable, and is not tried again', async () => {
  const { failure, server } = await failureOf(() => ({ status: 401 }))
  expect(failure.message).toContain('MODEL_EMBEDDING_API_KEY')
  expect(server.requests).toHaveLength(1)
})

test.each([
  ['no list', { vectors: 'none' }],
  ['too few', { vectors: [{ index: 0, embedding: [1, 0, 0] }] }],
  [
    'different lengths',
    {
      vectors: [
        { index: 0, embedding: [1, 0, 0] },
        { index: 1, embedding: [1, 0] },
      ],
    },
  ],
  [
    'one without a direction',
    {
      vectors: [
        { index: 0, embedding: [1, 0, 0] },
        { index: 1, embedding: [0, 0, 0] },
      ],
    },
  ],
])('vectors that cannot be used are refused: %s', async (_, answer) => {
  const { failure } = await failureOf(() => answer)
  expect(failure).toMatchObject({ code: 'refused', retry: false })
  expect(failure.message).toContain('MODEL_EMBEDDING_ID')
})

test('other dimensions than the ones asked for are refused', async () => {
  const { failure } = await failureOf(undefined, { dimensions: 2 })
  expect(failure.message).toContain('3 dimensions instead of MODEL_EMBEDDING_DIMENSIONS (2)')
})
