import { expect, test } from 'vitest'
import { resultText } from '../../src/capabilities/mcp/tools/result.ts'
import type { ToolContext } from '../../src/domain/tool.ts'
import type { Json } from '../../src/kit/json.ts'

const shown = (structured: Json) =>
  resultText({ content: [], structured, isError: false }, {} as ToolContext, { maxFiles: 1, mask: String })

/** Zeros at this depth. */
const nested = (depth: number): Json => JSON.parse(`${'['.repeat(depth)}${'0,'.repeat(20_000)}0${']'.repeat(depth)}`)

test('data that an MCP server returns is read one value a line', async () => {
  expect(await shown({ answer: [1, 2] })).toBe('{\n "answer": [\n  1,\n  2\n ]\n}')
})

test('it stays about as large as it came, however deep it is', async () => {
  expect((await shown(nested(90))).length).toBeLessThan(50_000)
  for (const depth of [1_500, 100_000])
    expect(await shown(nested(depth))).toBe('[structuredContent left out: it is nested deeper than 100 levels.]')
})
