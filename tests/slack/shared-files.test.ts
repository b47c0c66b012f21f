import { expect, test } from 'vitest'
import type { OutgoingFile } from '../../src/platforms/platform.ts'
import { until } from '../support/until.ts'
import { type Bench, openBench, posting, threadOf } from './support.ts'

const never = 2 ** 31 - 1
/** Slack isn't asked for long. */
const soon = { sharedMs: 30, longestSharedMs: 100 }

const file: OutgoingFile = {
  name: 'plan.txt',
  path: 'outputs/plan.txt',
  type: 'text/plain',
  size: 3,
  bytes: async () => new TextEncoder().encode('one'),
}

async function postFile({ server, platform }: Bench, before = () => {}) {
  const root = server.people.mention('ana', 'general', 'hi')
  await server.idle()
  before()
  const [page] = platform.pages({ kind: 'answer', text: '', files: [file], record: undefined }).slice(1)
  const posted = posting('f')
  const ts = await platform.post(threadOf(server, 'general', root), page, posted)
  const shown = server.view('general', root).slice(1)
  const { postponed } = posted
  return { ts, postponed, shown: shown.map(({ text, files }) => [text, files.map(({ name }) => name)]) }
}

test('a file that Slack takes and doesn’t show is told of in the thread', async () => {
  await using bench = await openBench({ fileShareMs: never, pace: soon })
  const { shown } = await postFile(bench)

  const words = 'Slack accepted plan.txt but hasn’t posted it here. If it doesn’t appear, ask me to send it again.'
  expect(shown).toEqual([[words, []]])
  expect(bench.server.violations).toEqual([])
})

test('a file that Slack shows late is waited for', async () => {
  await using bench = await openBench({ fileShareMs: 200, pace: { ...soon, longestSharedMs: never } })
  const { ts, shown } = await postFile(bench)

  expect(shown).toEqual([['', ['plan.txt']]])
  expect(ts).toMatch(/^\d+\.\d+$/)
})

test('a file that Slack says nothing of isn’t said to be missing', async () => {
  await using bench = await openBench({ fileShareMs: never, pace: soon })
  bench.server.misbehave.break('files.info', { times: 99 })

  expect((await postFile(bench)).shown).toEqual([])
})

test('a file that stands in the thread isn’t said to be missing, whatever Slack says of it', async () => {
  await using bench = await openBench({ listsShares: false, pace: soon })
  const posted = await postFile(bench, () => bench.server.sockets.deafen())

  expect(posted.shown).toEqual([['', ['plan.txt']]])
  expect(posted.ts).toMatch(/^\d+\.\d+$/)
})

test('a bot that stops doesn’t wait for a file, and knows that Slack took it', async () => {
  await using bench = await openBench({ fileShareMs: never, pace: { ...soon, longestSharedMs: never } })
  const posted = postFile(bench)
  await until('the look', () => bench.server.callsTo('files.info').length > 0)
  await bench.platform.stop()

  const { ts, shown } = await posted
  expect(ts).toMatch(/^F/)
  expect(shown).toEqual([])
})

test.each(['restricted_action', 'internal_error'])(
  'a file that Slack took isn’t sent again if the thread can’t be told of it: %s',
  async (error) => {
    await using bench = await openBench({ fileShareMs: never, pace: soon })
    bench.server.misbehave.refuse('chat.postMessage', error)

    const { ts, postponed, shown } = await postFile(bench)
    expect(ts).toMatch(/^F/)
    expect([postponed, shown]).toEqual([[], []])
    expect(bench.log.join()).toContain('the thread could not be told that Slack does not show its files')
  },
)
