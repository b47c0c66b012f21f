import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askModel } from '../../src/model/ask.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { asking, patienceWith, recordedListener, recordedPace, slotAt } from '../support/model-client.ts'

// A peer that nobody here wrote: where our own scripted server agrees with us by mistake, this one does not.
let peer: LLMock

beforeEach(async () => {
  peer = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' })
  await peer.start()
})

afterEach(async () => {
  await peer.stop()
})

async function ask(text: string, attempts = 3) {
  const patience = patienceWith({ attempts })
  const { seen, retries, listener } = recordedListener()
  const pace = recordedPace()
  const model = openaiModel(slotAt(`${peer.url}/v1`), patience)
  const reply = await askModel(model, asking(text), patience, listener, pace).catch((thrown: unknown) => thrown)
  return { reply, seen, retries, waits: pace.waits }
}

test('text, streamed, with usage', async () => {
  const usage = { prompt_tokens: 21, completion_tokens: 4 }
  peer.onMessage('hello', { content: 'Hi there, friend!', usage })
  const { reply, seen } = await ask('hello')
  expect(reply).toMatchObject({
    text: 'Hi there, friend!',
    calls: [],
    finish: 'stop',
    usage: { input: 21, output: 4, cached: 0 },
  })
  expect(seen.slice(1).join('')).toBe('Hi there, friend!')
})

test('thoughts', async () => {
  peer.onMessage('why', { content: 'Because.', reasoning: 'Let me think.' })
  expect((await ask('why')).reply).toMatchObject({ text: 'Because.', thought: 'Let me think.' })
})

test('parallel tool calls', async () => {
  const toolCalls = [
    { name: 'read_file', arguments: '{"path":"uploads/a.md"}' },
    { name: 'read_file', arguments: '{"path":"uploads/b.md"}' },
  ]
  peer.onMessage('both', { toolCalls })
  expect((await ask('both')).reply).toMatchObject({ text: '', calls: toolCalls, finish: 'calls' })
})

test('a 429 once, then an answer', async () => {
  peer.onMessage('busy', { content: 'Now I can.' })
  peer.nextRequestError(429, { message: 'slow down' })
  const { reply, retries } = await ask('busy')
  expect(reply).toMatchObject({ text: 'Now I can.' })
  expect(retries).toMatchObject([{ failure: { code: 'rate_limited' } }])
})

test('a refusal is not repeated', async () => {
  peer.onMessage('no', { content: 'never said' })
  peer.nextRequestError(400, { message: 'bad request' })
  expect((await ask('no')).reply).toMatchObject({ code: 'refused', retry: false })
})

test('a truncated stream is continued, and nothing shown twice', async () => {
  const content = 'one two three four five six seven eight nine ten'
  // Without latency the peer destroys the socket before a byte has left.
  const truncated = { chunkSize: 6, truncateAfterChunks: 3, latency: 20 }
  peer.on({ userMessage: 'count', sequenceIndex: 0 }, { content }, truncated)
  peer.on({ userMessage: 'count', sequenceIndex: 1 }, { content }, { chunkSize: 5 })
  const { reply, seen, retries } = await ask('count')
  expect(reply).toMatchObject({ text: content, finish: 'stop' })
  expect(retries).toMatchObject([{ failure: { code: 'cut' } }])
  expect(seen.filter((piece) => piece === 'discarded')).toEqual([])
  expect(seen.slice(1).join('')).toBe(content)
})
