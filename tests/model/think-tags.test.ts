import { expect, onTestFinished, test } from 'vitest'
import { askModel } from '../../src/model/ask.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { asking, patienceWith, recordedListener, recordedPace, slotAt } from '../support/model-client.ts'
import { cutAfter, raw, type ScriptedReply, says, startModelServer, thinks } from '../support/model-server.ts'

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const streamed = (pieces: Iterable<string>, finish = 'stop', calls: object[] = []): ScriptedReply =>
  raw(
    ...[...pieces].map((content) => chunk({ content })),
    ...calls.map((call) => chunk({ tool_calls: [call] })),
    chunk({}, finish),
    '[DONE]',
  )

async function ask(...script: ScriptedReply[]) {
  const server = await startModelServer(script)
  onTestFinished(() => server.close())
  const patience = patienceWith()
  const { seen, listener } = recordedListener()
  const model = openaiModel(slotAt(server.url), patience)
  const reply = await askModel(model, asking('hi'), patience, listener, recordedPace()).catch((thrown) => thrown)
  return { reply, seen, requests: server.requests.length }
}

const whole = (text: string) => [text]
const byLetter = (text: string) => text

const isText = (entry: string) => !entry.startsWith('thought: ')

test.each([
  ['<think>Ana wants 4.</think>It’s 4.', 'It’s 4.'],
  ['\n <think>\nAna wants 4.\n</think>\n\nIt’s 4.\n', 'It’s 4.\n'],
  ['<think>Ana wants 4.</think>[silent]', '[silent]'],
  ['<think>Ana wants 4. Is 3 < 4?</think>\nThe tag </think> ends it.\n</think>\n\nSo.', /^The tag .*So\.$/s],
])('what is in tags at the beginning of a content is a thought: %j', async (content, answer) => {
  for (const cut of [whole, byLetter]) {
    const { reply, seen } = await ask(streamed(cut(content)))
    expect(reply.text).toEqual(answer instanceof RegExp ? expect.stringMatching(answer) : answer)
    expect(reply.thought.trim()).toMatch(/^Ana wants 4\.( Is 3 < 4\?)?$/)
    expect(seen.filter(isText).join('')).toBe(`started${reply.text}`)
    expect(seen.filter((entry) => !isText(entry)).join()).toBe(`thought: ${reply.thought.trim()}`)
  }
})

test('where a template has begun the thought, its end takes back what was shown', async () => {
  const content = 'Ana wants 4.\nSo it’s 4.\n</think>\n\nIt’s 4.'
  for (const cut of [whole, byLetter]) {
    const { reply, seen } = await ask(streamed(cut(content)))
    expect(reply).toMatchObject({ text: 'It’s 4.', thought: 'Ana wants 4.\nSo it’s 4.' })
    const [, shown] = seen.join('').split(/^(?:.*discarded)?thought: /s)
    expect(shown).toBe('Ana wants 4.\nSo it’s 4.startedIt’s 4.')
  }
})

test.each([
  'Put </think> after it.',
  '`<think>` begins it, and `</think>` ends it.',
  'It looks so:\n```\nreasoning\n</think>\n\nanswer\n```\nAnd so on.',
  'It looks so:\n\n<think>\nreasoning\n</think>\n\nanswer',
  'A list:\n  </think>\n\nand more',
  'A line:\n</think>\nand more',
  '<thinking>no</thinking>',
  '<thin',
  '  indented',
])('an answer that only talks about the tags stays as it is: %j', async (content) => {
  for (const cut of [whole, byLetter]) {
    const { reply, seen } = await ask(streamed(cut(content)))
    expect(reply).toMatchObject({ text: content, thought: '' })
    expect(seen.join('')).toBe(`started${content}`)
  }
})

test('where the server tells the reasoning apart, tags are part of the answer', async () => {
  const { reply } = await ask(thinks('Which tag?', says('<think> is the one, </think> ends it.')))
  expect(reply).toMatchObject({ text: '<think> is the one, </think> ends it.', thought: 'Which tag?' })
})

test('a thought without an end is no answer: the model is asked again', async () => {
  const asked = await ask(streamed(['<think>', 'Ana wants']), streamed(['<think>Ana wants 4.</think>', 'It’s 4.']))
  expect(asked.reply).toMatchObject({ text: 'It’s 4.' })
  expect(asked.requests).toBe(2)
})

test('a thought without an end is enough before calls, and where the tokens ran out', async () => {
  const call = { index: 0, id: 'call_1', function: { name: 'now', arguments: '{}' } }
  expect((await ask(streamed(['<think>Which', ' day?'], 'tool_calls', [call]))).reply).toMatchObject({
    text: '',
    thought: 'Which day?',
    calls: [{ name: 'now', arguments: '{}' }],
  })
  expect((await ask(streamed(['<think>Which', ' day?'], 'length'))).reply).toMatchObject({
    text: '',
    thought: 'Which day?',
    finish: 'length',
  })
})

test('a thought that was shown as text by a broken attempt is discarded once the next one ends it', async () => {
  const content = 'one two three\n</think>\n\nfour'
  const { reply, seen } = await ask(cutAfter(2, says(content)), says(content))
  expect(reply).toMatchObject({ text: 'four', thought: 'one two three' })
  expect(seen.slice(0, 3)).toEqual(['started', 'one', ' two'])
  expect(seen.slice(seen.indexOf('discarded'))).toEqual(['discarded', 'thought: one two three', 'started', 'four'])
})
