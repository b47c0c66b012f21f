import type { TableBlock } from '@slack/types'
import { expect, onTestFinished, test } from 'vitest'
import type { CallId, TurnId } from '../../src/domain/ids.ts'
import type { TurnPart, TurnView } from '../../src/domain/turn-view.ts'
import { slackMessages } from '../../src/platforms/slack/text/slack-messages.ts'
import { liveOptions } from '../support/live-options.ts'
import { openBench, posting, threadOf } from './support.ts'

const mostBytes = 9_800
const sizeOf = (text: string): number => Buffer.byteLength(text)
const answer = Array.from({ length: 900 }, (_, place) => `第${place}段落の文章。`).join('\n\n')

test('a message’s text is measured in bytes', () => {
  const messages = slackMessages(answer)
  const texts = messages.map((pieces) => pieces.map((one) => (one.kind === 'markdown' ? one.text : '')).join(''))
  expect(texts.every((text) => sizeOf(text) <= mostBytes && text.isWellFormed())).toBe(true)
  expect(texts.join('\n\n')).toBe(answer)
})

test('so is a table’s', () => {
  const rows = Array.from({ length: 90 }, (_, place) => `| ${place} | ${'漢字'.repeat(40)} | **${'強調'.repeat(5)}** |`)
  const tables = slackMessages(['| n | a | b |', '|---|---|---|', ...rows].join('\n')).flatMap((pieces) =>
    pieces.map((one) => (one.kind === 'block' ? (one.block as TableBlock) : undefined)),
  )
  expect(tables.every((table) => sizeOf(JSON.stringify(table).replace(/[ -~]/g, '')) <= mostBytes)).toBe(true)
  expect(tables.flatMap((table) => table?.rows.slice(1) ?? [])).toHaveLength(90)
})

const doneCall = (about: string, place: number): TurnPart => ({
  kind: 'call',
  call: `call_${place}` as CallId,
  tool: 'read_file',
  about,
  status: 'done',
})

const view = (parts: TurnPart[], state: TurnView['state'] = 'running'): TurnView => ({
  turn: 'turn_1' as TurnId,
  segment: 0,
  state,
  notices: [],
  parts,
  todos: [],
  startedAt: Date.now(),
})

async function streaming() {
  const bench = await openBench({ firstMs: 20, everyMs: 20 })
  onTestFinished(() => bench[Symbol.asyncDispose]())
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'tell me everything')
  await server.idle()
  const reader = { id: server.user('ana'), name: 'ana' }
  const reply = platform.live(threadOf(server, 'general', ts), { ...liveOptions(posting('k')), reader })
  const pages = (record: TurnView) => platform.pages({ kind: 'answer', text: answer, files: [], record })
  const post = () => server.view('general', ts).find(({ bot }) => bot)
  return { server, reply, pages, post, sent: () => [...server.calls.filter(({ method }) => /^chat\./.test(method))] }
}

test('a long answer in Japanese is streamed to its end', async () => {
  const { server, reply, pages, post } = await streaming()
  for (const { end, seen } of [
    { end: 100, seen: 2 },
    { end: 3_000, seen: 200 },
    { end: 6_000, seen: 300 },
  ]) {
    reply.show(view([{ kind: 'text', text: answer.slice(0, end) }]))
    await server.until(() => post()?.text.includes(`第${seen}段落`))
  }
  await reply.finish(pages(view([], 'done'))[0])
  expect(post()).toMatchObject({ streaming: false })
  expect(server.callsTo('chat.update')).toEqual([])
  expect(server.violations).toEqual([])
})

test('a stream whose titles leave no room for more text goes on by an edit, without a call that is refused', async () => {
  const { server, reply, pages, post, sent } = await streaming()
  const calls = (count: number) => Array.from({ length: count }, (_, place) => doneCall('読む'.repeat(30), place))
  const text = { kind: 'text', text: answer.slice(0, 3_000) } as const
  reply.show(view([...calls(8), text]))
  await server.until(() => post()?.text.includes('第200段落'))
  await reply.finish(pages(view([...calls(25), text], 'done'))[0])
  expect(post()).toMatchObject({ streaming: false, text: expect.stringContaining('第350段落') })
  expect(server.callsTo('chat.update')).toHaveLength(1)
  expect(sent().filter(({ ok }) => !ok)).toEqual([])
  expect(server.violations).toEqual([])
})
