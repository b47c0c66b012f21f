import { expect, test } from 'vitest'
import type { TurnPart, TurnView } from '../../src/domain/turn-view.ts'
import { progressOf } from '../../src/platforms/discord/live/progress.ts'

type Call = Extract<TurnPart, { kind: 'call' }> & { output?: string }

const call = (output: string | undefined, status: Call['status'] = 'running', about = 'make'): Call => ({
  kind: 'call',
  call: `call_${about}`,
  tool: 'run_command',
  about,
  status,
  ...(output !== undefined && { output }),
})

const shown = (...parts: Call[]) => {
  const view: TurnView = { turn: 'turn_1', segment: 0, state: 'running', notices: [], parts, todos: [], startedAt: 0 }
  return progressOf(view)
}

test('what a running command printed last stands below it', () => {
  expect(shown(call('one\ntwo\n\nthree\nfour\n'))).toBe('-# … run\\_command make\n```\ntwo\nthree\nfour\n```')
})

test('what has ended, or printed nothing, shows none', () => {
  expect(shown(call('one', 'done'), call(undefined), call(' \n\r\n'))).not.toContain('```')
})

test('of a line that is written over, the last is shown; colours and what nobody would see are not', () => {
  const output = '10%\r20%\r\u001b[32m30%\u001b[0m\r\n\u001b]0;title\u0007a\u202Eb\u0000c'
  expect(shown(call(output))).toContain('```\n30%\na\\u{202e}b c\n```')
})

test('nothing in it ends the fence, and it stays short', () => {
  const content = shown(call(`${'x'.repeat(5_000)}\n\`\`\`\n@everyone ${'字'.repeat(300)}`))
  expect(content.match(/```/g)).toHaveLength(2)
  expect(content.length).toBeLessThan(400)
})

test('of many at once the last two show it, and all are named', () => {
  const content = shown(...['a', 'b', 'c', 'd', 'e'].map((about) => call('y'.repeat(500), 'running', about)))
  expect(content.match(/```/g)).toHaveLength(4)
  for (const about of ['a', 'b', 'c', 'd', 'e']) expect(content).toContain(`run\\_command ${about}`)
})
