import { expect, onTestFinished, test } from 'vitest'
import { NotPosted } from '../../src/platforms/platform.ts'
import type { SlackOptions } from '../support/slack/server.ts'
import { openBench, posting, threadOf } from './support.ts'

const never = 2_000_000_000

async function begin(options: SlackOptions = {}) {
  const bench = await openBench({ ...options, pace: { shareMs: 10 } })
  onTestFinished(() => bench[Symbol.asyncDispose]())
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'make a file')
  await server.idle()
  const bytes = async () => new TextEncoder().encode('one')
  const file = { name: 'a.txt', path: 'outputs/a.txt', type: 'text/plain', size: 3, bytes }
  const [, page] = platform.pages({ kind: 'answer', text: '', files: [file], record: undefined })
  return { server, platform, page, thread: threadOf(server, 'general', ts), shown: () => server.view('general', ts) }
}

test('a file that Slack accepts and never shares counts as not posted, and is posted again', async () => {
  const { server, platform, page, thread, shown } = await begin({ fileShareMs: never })
  const sent = posting('f', Date.now() - 1_000)
  const refused = await platform.post(thread, page, sent).catch((thrown: unknown) => thrown)
  expect(refused).toBeInstanceOf(Error)
  expect(refused).not.toBeInstanceOf(NotPosted)
  expect(await platform.find(thread, sent)).toBeUndefined()
  server.settings.fileShareMs = 5
  const id = await platform.post(thread, page, sent)
  expect(shown().slice(1)).toMatchObject([{ ts: id, files: [{ name: 'a.txt' }] }])
})

test('one that is shared late is found by every attempt', async () => {
  const { server, platform, page, thread, shown } = await begin({ fileShareMs: 2_000 })
  const sent = posting('f', Date.now() - 1_000)
  await platform.post(thread, page, sent).catch(() => {})
  server.settings.fileShareMs = never
  await platform.post(thread, page, sent).catch(() => {})
  await server.until(() => shown()[1])
  expect(await platform.find(thread, sent)).toBe(shown()[1]?.ts)
})

test('where Slack doesn’t say, the file counts as posted', async () => {
  const { server, platform, page, thread } = await begin({ fileShareMs: never })
  server.misbehave.refuse('files.info', 'missing_scope', { times: 99 })
  expect(await platform.post(thread, page, posting('f'))).toMatch(/^F/)
})
