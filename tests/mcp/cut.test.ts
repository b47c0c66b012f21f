import { expect, test } from 'vitest'
import { elicit } from '../../src/capabilities/mcp/elicit.ts'
import { callFailure } from '../../src/capabilities/mcp/sdk/failures.ts'
import { wordsOf } from '../../src/capabilities/mcp/tools/describe.ts'
import { resultText } from '../../src/capabilities/mcp/tools/result.ts'
import type { Question } from '../../src/domain/question.ts'
import type { ToolContext } from '../../src/domain/tool.ts'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { LeaseLost } from '../../src/store/lease-lost.ts'
import { cutResult } from '../../src/turn/settle/cut-result.ts'

const secret = 'q7Rt2Kp9Zx4Wm8Bv5Nc1'.repeat(3)
const { mask } = createSecrets([{ name: 'key', value: secret }])
const part = secret.slice(0, 6)

/** A text that would be cut soon after the secret has begun. */
const before = (most: number): string => `${'word '.repeat(most).slice(0, most - 15)} ${secret}`

test('what an MCP server asks people is masked before it is cut', async () => {
  const asked: Question[] = []
  const ask = async (question: Question) => void asked.push(question)
  const choices = [{ value: 'a', label: before(60) }]
  const fields = [{ name: 'x', question: before(300), kind: 'choice' as const, choices, required: true }]
  const wanted = { message: before(1_000), fields }
  await elicit('x', wanted, { ask } as never as ToolContext, 1_000, new AbortController().signal, mask)
  expect(asked).toHaveLength(1)
  expect(JSON.stringify(asked).match(/\[secret/g)).toHaveLength(3)
  expect(JSON.stringify(asked)).not.toContain(part)
})

test('so are its errors and what it says of its resources', async () => {
  const { message } = callFailure(new Error(before(2_000)), mask)
  expect(message).toContain('[secret')
  expect(message).not.toContain(part)
  const link = { kind: 'link' as const, name: before(200), uri: before(1_000), description: before(300) }
  const result = { content: [link], structured: undefined, isError: false }
  const text = await resultText(result, {} as ToolContext, { maxFiles: 1, mask })
  expect(text.match(/\[secret/g)).toHaveLength(3)
  expect(text).not.toContain(part)
})

test('what it says of a tool is masked after it is cut, where `…` says so', () => {
  const description = `${'word '.repeat(900).slice(0, 4_055)} ${secret} and more`
  const text = mask(wordsOf({ description }))
  expect(text).toMatch(/ \[secret: the bot’s own key\]…$/)
})

test('a process that was replaced keeps no file, and says nothing of it to the model', async () => {
  const write = () => Promise.reject(new LeaseLost('ses_1'))
  const context = { workspace: { write } } as unknown as ToolContext
  const file = { kind: 'file' as const, name: 'a.txt', type: 'text/plain', base64: 'YQ==' }
  const result = { content: [file], structured: undefined, isError: false }
  await expect(resultText(result, context, { maxFiles: 1, mask })).rejects.toBeInstanceOf(LeaseLost)
  const cutting = { workspace: context.workspace, mask, maxBytes: 10, lineCharacters: 100 }
  await expect(cutResult('call_1', before(100), cutting)).rejects.toBeInstanceOf(LeaseLost)
})

test('and any result that is too long for the model, also where the rest of it is kept', async () => {
  const kept: unknown[] = []
  const workspace = { write: async (_: string, text: unknown) => void kept.push(text) }
  const text = await cutResult('call_1', `${before(1_000)} and more`, {
    workspace: workspace as never,
    mask,
    maxBytes: 1_000,
    lineCharacters: 2_000,
  })
  expect(text).toContain('[Cut: ')
  expect(text).not.toContain(part)
  expect(kept).toEqual([expect.stringContaining('[secret: the bot’s own key] and more')])
})
