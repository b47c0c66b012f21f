import { describe, expect, test } from 'vitest'
import type { CallId, TurnId } from '../../src/domain/ids.ts'
import type { TurnView } from '../../src/domain/turn-view.ts'
import { continuation, nothingShown } from '../../src/platforms/slack/live/continuation.ts'
import { edited, streamed } from '../../src/platforms/slack/live/progress.ts'
import { blocksOf } from '../../src/platforms/slack/pages/blocks.ts'
import { lineLook } from '../../src/platforms/slack/pages/plan.ts'
import { lastLines } from '../../src/platforms/words/last-lines.ts'
import { checkBlocks, checkChunks } from '../support/slack/blocks/check.ts'
import type { Json } from '../support/slack/json.ts'
import { renderBlocks } from '../support/slack/render.ts'

type Status = 'running' | 'done'

const running = (output: string | undefined, status: Status = 'running'): TurnView => ({
  turn: 'turn_1' as TurnId,
  segment: 0,
  state: 'running',
  parts: [
    {
      kind: 'call',
      call: 'call_1' as CallId,
      tool: 'run_command',
      about: 'npm test',
      status,
      ...(output !== undefined && { output }),
    },
  ],
  todos: [],
  notices: [],
  startedAt: 0,
})

const blocksIn = (view: TurnView, asWords = false): Json[] =>
  JSON.parse(JSON.stringify(blocksOf(edited(view), asWords))) as Json[]

describe('the pages that a call has read', () => {
  const sources = [
    { url: 'https://one.example/a', title: 'One <!channel>' },
    { url: 'javascript:alert(1)', title: 'Not a page' },
  ]
  const read = (status: Status): TurnView => {
    const view = running(undefined, status)
    return { ...view, parts: view.parts.map((part) => ({ ...part, ...(status === 'done' && { sources }) })) }
  }
  const shown = [{ type: 'url', url: 'https://one.example/a', text: 'One <!channel>' }]

  test('stand on its task card, in a message that is edited and in a stream', () => {
    expect(checkBlocks(blocksIn(read('done')), 'message', ['blocks'])).toBeUndefined()
    expect(blocksIn(read('done'))[0]).toMatchObject({ tasks: [{ sources: shown }] })
    const before = streamed(read('running'), undefined)
    const chunks = continuation('key', before, streamed(read('done'), undefined)) ?? []
    expect(checkChunks(JSON.parse(JSON.stringify(chunks)))).toBeUndefined()
    expect(chunks).toContainEqual(expect.objectContaining({ type: 'task_update', status: 'complete', sources: shown }))
  })
})

describe('what a running command prints', () => {
  test.each([
    ['', ''],
    ['one\ntwo\n', 'one\ntwo'],
    ['1\n2\n\n3\n4\n', '2\n3\n4'],
    ['10%\r50%\r100%\n', '100%'],
    ['10%\r50%\r', '50%'],
    ['\u001b[31mred\u001b[0m\u0007 \u202eback', 'red back'],
    ['x'.repeat(500), `${'x'.repeat(119)}…`],
    ['a\n'.repeat(1_000_000), 'a\na\na'],
  ])('is its last lines, as a terminal shows them (%#)', (output, lines) => {
    expect(lastLines(output, lineLook)).toBe(lines)
  })

  test('stands below the call in a message that is edited, literally', () => {
    const view = running('ok 1\n<!channel> & `x`\n')
    expect(renderBlocks(blocksIn(view))).toBe('run_command npm test…\n◐ run_command npm test\n  ok 1\n<!channel> & `x`')
    expect(checkBlocks(blocksIn(view), 'message', ['blocks'])).toBeUndefined()
    expect(JSON.stringify(blocksIn(view))).toContain('rich_text_preformatted')
    expect(JSON.stringify(blocksIn(view, true))).toContain('&lt;!channel&gt;')
  })

  test('is gone when the command is done, or nobody runs it any more', () => {
    expect(renderBlocks(blocksIn(running('ok', 'done')))).not.toContain('ok')
    expect(renderBlocks(blocksIn({ ...running('ok'), state: 'stopped' }))).not.toContain('ok')
  })

  test('is one line of the task in a stream, where the next one takes its place', () => {
    const [first, second, done] = [
      running('ok 1\nok 2'),
      running(`ok 3 ${'y'.repeat(400)}`),
      running('ok', 'done'),
    ].map((view) => streamed(view, undefined))
    const chunks = [
      continuation('k', nothingShown, first ?? nothingShown),
      continuation('k', first ?? nothingShown, second ?? nothingShown),
      continuation('k', second ?? nothingShown, done ?? nothingShown),
    ]
    const titles = chunks.map((all) => all?.flatMap((chunk) => (chunk.type === 'task_update' ? [chunk.title] : [])))
    expect(titles).toEqual([
      ['run_command npm test › ok 2'],
      [expect.stringMatching(/^run_command npm test › ok 3 y+…$/)],
      ['run_command npm test'],
    ])
    for (const all of chunks) expect(checkChunks(all)).toBeUndefined()
  })
})
