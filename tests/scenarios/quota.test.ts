import { readdirSync, readlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const last = (body: RequestBody | undefined): string => String(body?.messages.at(-1)?.content)

const uploads = (bytes: number, files = 100) => ({ uploads: { workspaceBytes: bytes, workspaceFiles: files } })

test('an upload that a thread has no room for is refused, with the figures', async () => {
  const bot = await startTestBot({ script: () => says('I see.'), config: uploads(1000) })
  const { conversation, events } = await bot.chat.say('two', {
    files: { 'a.txt': 'x'.repeat(700), 'b.txt': 'x'.repeat(400) },
  })
  const fact =
    'b.txt couldn’t be saved: The workspace of this thread holds 700 of the 1,000 bytes that are allowed, and this does not fit.'
  expect(ofType(events, 'warning').map(({ data }) => data.message)).toEqual([expect.stringContaining(fact)])
  expect(last(bot.model.requests.at(-1))).toContain(fact)
  // Another thread has room of its own, and so has what fits.
  expect(ofType((await bot.chat.say('new', { files: { 'b.txt': 'x'.repeat(400) } })).events, 'warning')).toEqual([])
  expect(ofType((await bot.chat.say('x', { conversation, files: { 'c.txt': 'x' } })).events, 'warning')).toEqual([])
})

test('what a tool writes counts too, and the model reads what it can do', async () => {
  const bot = await startTestBot({
    script: [
      calls('write_file', { path: 'outputs/a.txt', content: 'x'.repeat(1500) }),
      calls('write_file', { path: 'outputs/a.txt', content: 'x'.repeat(900) }),
      says('Done.'),
    ],
    config: uploads(1000),
  })
  expect((await bot.chat.say('write')).text).toBe('Done.')
  const results = bot.model.requests.map(last)
  expect(results[1]).toContain('holds 0 of the 1,000 bytes')
  expect(results[1]).toContain('Make it smaller')
  expect(results[2]).not.toContain('quota')
})

test('the number of files is limited, and counted again after a restart', async () => {
  const bot = await startTestBot({ script: () => says('I see.'), config: uploads(100_000, 2) })
  const { conversation } = await bot.chat.say('two', { files: { 'a.txt': 'a', 'b.txt': 'b' } })
  await bot.restart()
  const { events } = await bot.chat.say('third', { conversation, files: { 'c.txt': 'c' } })
  expect(ofType(events, 'warning').map(({ data }) => data.message)).toEqual([
    expect.stringMatching(/^c\.txt couldn’t be saved: .* holds 2 files, and 2 are allowed\. Put several/),
  ])
})

test('of an upload that there is no room for, nothing stays open', async () => {
  const bot = await startTestBot({ script: () => says('I see.'), config: uploads(1_000_000, 1) })
  await bot.chat.say('two', { files: { 'a.txt': 'a', 'b.txt': 'x'.repeat(200_000) } })
  const open = () =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)]
      } catch {
        return []
      }
    })
  const gone = () => open().filter((path) => path.startsWith(bot.dataDir) && path.endsWith(' (deleted)'))
  await eventually(() => expect(gone()).toEqual([]))
})

test('status shows how much room there is', async () => {
  const bot = await startTestBot({ script: () => says('I see.'), config: uploads(2_000_000) })
  const { conversation } = await bot.chat.say('one', { files: { 'a.txt': 'hello' } })
  const { events } = await bot.chat.say('/status', { conversation })
  const isStatus = (text: string) => text.includes('- Files: 1 (5 bytes of 2.0 MB)')
  await bot.chat.until(
    conversation,
    (event) => event.type === 'message' && isStatus(event.data.text),
    events[0]?.event_id,
  )
})
