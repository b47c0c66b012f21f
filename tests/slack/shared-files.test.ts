import { describe, expect, test } from 'vitest'
import { NotPosted, type OutgoingFile } from '../../src/platforms/platform.ts'
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

async function begin({ server, platform }: Bench) {
  const root = server.people.mention('ana', 'general', 'hi')
  await server.idle()
  const [page] = platform.pages({ kind: 'files', files: [file] })
  return { root, thread: threadOf(server, 'general', root), page, posted: posting('f') }
}

async function postFile(bench: Bench, before = () => {}) {
  const { server, platform } = bench
  const { root, thread, posted } = await begin(bench)
  before()
  const [page] = platform.pages({ kind: 'answer', text: '', files: [file], record: undefined }).slice(1)
  const ts = await platform.post(thread, page, posted)
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

describe('when nobody knows whether Slack took a file', () => {
  const complete = 'files.completeUploadExternal'

  /** Looks for it, in another process if there is one. */
  async function lookAfter(bench: Bench, spoil: () => void, other = bench) {
    const { root, thread, page, posted } = await begin(bench)
    spoil()
    await expect(bench.platform.post(thread, page, posted)).rejects.not.toThrow(NotPosted)
    return { root, found: other.platform.find(thread, posted) }
  }

  test.each(['reset', '500'] as const)('one that is shown late is waited for (%s)', async (how) => {
    await using bench = await openBench({ fileShareMs: 500, pace: { ...soon, longestSharedMs: never } })
    const { server } = bench
    const { root, found } = await lookAfter(bench, () => server.misbehave.storeButFail(complete, how))

    const id = await found
    expect(server.view('general', root).slice(1)).toMatchObject([{ ts: id, files: [{ name: 'plan.txt' }] }])
  })

  test('the next process waits for it', async () => {
    await using bench = await openBench({ fileShareMs: 500 })
    const { server } = bench
    await using next = await openBench({ server, pace: { ...soon, longestSharedMs: never } })
    const { root, found } = await lookAfter(bench, () => server.misbehave.storeButFail(complete, 'reset'), next)

    const id = await found
    expect(server.view('general', root).slice(1)).toMatchObject([{ ts: id, files: [{ name: 'plan.txt' }] }])
  })

  test.each([
    ['says that it is nowhere', () => {}],
    ['doesn’t know it', ({ server }: Bench) => server.misbehave.refuse('files.info', 'file_not_found', { times: 99 })],
    ['lets it not ask', ({ server }: Bench) => server.misbehave.refuse('files.info', 'missing_scope', { times: 99 })],
  ])('it wasn’t posted if Slack %s', async (_, spoil) => {
    await using bench = await openBench({ fileShareMs: never, pace: soon })
    const { found } = await lookAfter(bench, () => {
      bench.server.misbehave.drop(complete)
      spoil(bench)
    })

    expect(await found).toBeUndefined()
    expect(bench.server.callsTo('files.info').length).toBeGreaterThan(0)
  })

  test('it is looked for later if Slack doesn’t answer', async () => {
    await using bench = await openBench({ fileShareMs: never, pace: soon })
    const { found } = await lookAfter(bench, () => {
      bench.server.misbehave.storeButFail(complete, 'reset')
      bench.server.misbehave.break('files.info', { times: 99 })
    })

    await expect(found).rejects.toThrow('doesn’t say')
  })

  test('the next process looks for it if the bot stops', async () => {
    await using bench = await openBench({ fileShareMs: never, pace: { ...soon, longestSharedMs: never } })
    const { server, platform } = bench
    const { found } = await lookAfter(bench, () => server.misbehave.storeButFail(complete, 'reset'))
    const given = expect(found).rejects.toThrow('doesn’t say')
    await until('the look', () => server.callsTo('files.info').length > 0)
    await platform.stop()

    await given
  })
})

test('a file that Slack refuses is known not to be there', async () => {
  await using bench = await openBench({ pace: { ...soon, longestSharedMs: never } })
  const { server, platform } = bench
  const { thread, page, posted } = await begin(bench)
  server.misbehave.refuse('files.completeUploadExternal', 'restricted_action')
  await expect(platform.post(thread, page, posted)).rejects.toThrow(NotPosted)

  expect(await platform.find(thread, posted)).toBeUndefined()
  expect(server.callsTo('files.info')).toEqual([])
})
