import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { explainLines } from '../../src/cli/explain-lines.ts'
import { scratch } from '../support/store.ts'
import { bobbin } from './support.ts'

async function explaining(...flags: string[]) {
  const env = { PATH: process.env.PATH, BOBBIN_HOME: await scratch() }
  const child = spawn(process.execPath, ['src/bin.js', 'policy', 'explain', '--stdin', ...flags], { env })
  const exit = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async answer(text: string): Promise<unknown> {
      child.stdin.write(text)
      return JSON.parse((await lines.next()).value ?? '')
    },
    async next(): Promise<{ kind: string }> {
      return JSON.parse((await lines.next()).value ?? '')
    },
    async end(text = '') {
      child.stdin.end(text)
      return (await exit)[0]
    },
  }
}

const command = (line: string) => `${JSON.stringify({ tool: 'run_command', input: { command: line } })}\n`

describe('policy explain --stdin', () => {
  test('answers each line as it comes, in order, and continues after a bad one', async () => {
    const explain = await explaining()
    expect(await explain.answer(command('ls -l'))).toMatchObject({
      kind: 'allow',
      rule: { layer: 'the tool’s rules', name: 'tools.run_command.allow' },
      reason: expect.stringContaining('The rules allow'),
      risk: 'medium',
    })
    expect(await explain.answer(command('rm -rf x'))).toMatchObject({ kind: 'ask', risk: 'high', decider: 'team' })
    const bad = [
      '',
      'nonsense',
      '[]',
      '{"tool":"run_command"}',
      '{"tool":"nope","input":{}}',
      '{"tool":"run_command","input":{"cmd":1}}',
    ]
    for (const line of bad)
      expect(await explain.answer(`${line}\n`), line).toEqual({
        kind: 'error',
        message: expect.stringMatching(/\S/),
        remedy: expect.stringMatching(/\S/),
      })
    expect(await explain.answer('{"tool":"web_fetch","input":{"url":"http://localhost/"}}\n')).toMatchObject({
      kind: 'deny',
    })
    // Within a JSON text these end no line.
    expect(
      await explain.answer('{"tool":"run_command","input":{"command":"echo \'\u2028\u0085\'"}}\r\n'),
    ).toMatchObject({ kind: 'ask' })
    expect(await explain.answer('{"tool":"ask_human","input":{"question":"Which?"}}\n')).toMatchObject({
      kind: 'allow',
    })
    expect(await explain.end(command('pwd').trimEnd())).toBe(0)
    expect(await explain.next()).toMatchObject({ kind: 'allow' })
  })

  test('--untrusted counts for every line', async () => {
    const explain = await explaining('--untrusted')
    expect(await explain.answer('{"tool":"web_fetch","input":{"url":"https://a.example/"}}\n')).toMatchObject({
      kind: 'ask',
      rule: { name: 'untrusted' },
    })
    await explain.end()
  })

  test('ten thousand lines have ten thousand answers', async () => {
    const explain = await explaining()
    const lines = Array.from({ length: 10_000 }, (_, at) => command(at % 2 === 0 ? 'ls' : `make ${at}`)).join('')
    const ended = explain.end(lines)
    for (let at = 0; at < 10_000; at++) expect((await explain.next()).kind).toBe(at % 2 === 0 ? 'allow' : 'ask')
    expect(await ended).toBe(0)
  })

  test('lines may come in any pieces', async () => {
    const pieces = ['{"tool":"a","in', 'put":1}\n\n{"to', 'ol":"b","input":{}}']
    const answers: string[] = []
    async function* chunks() {
      yield* pieces
    }
    for await (const text of explainLines(chunks(), ({ tool }) => ({ kind: 'ask', tool }))) answers.push(text)
    const kinds = answers
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(kinds).toEqual([
      { kind: 'ask', tool: 'a' },
      expect.objectContaining({ kind: 'error' }),
      { kind: 'ask', tool: 'b' },
    ])
  })

  test('it accepts no call on the command line', async () => {
    const ended = await bobbin(await scratch(), 'policy', 'explain', '--stdin', 'run_command', '{}')
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining('read from standard input') })
  })
})
