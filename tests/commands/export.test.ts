import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import JSZip from 'jszip'
import { expect, onTestFinished, test } from 'vitest'
import { saveExport } from '../../src/cli/save-export.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Workspace } from '../../src/domain/workspace.ts'
import { Entries } from '../../src/export/entries.ts'
import { exportThread } from '../../src/export/exported.ts'
import { exportAs } from '../../src/export/formats.ts'
import { Failure, Unavailable } from '../../src/kit/failure.ts'
import { appendEvents } from '../../src/store/events.ts'
import { findSession, homeOf } from '../../src/store/sessions.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { storeOf } from '../support/threads.ts'
import { turnsDuring } from '../support/turns-during.ts'
import { until } from '../support/until.ts'
import { bobbinHere as bobbin } from './support.ts'

test('export writes a thread while the bot runs: as Markdown, or with its files', async () => {
  const bot = await startTestBot({
    script: [calls('write_file', { path: 'outputs/a.txt', content: 'one' }), says('\u001b[31mDone.'), says('Yes.')],
  })
  const { conversation: id } = await bot.chat.say('Write a file')
  await bot.chat.untilPosted(id)
  const markdown = await bobbin(bot.dataDir, 'export', id)
  expect(markdown).toMatchObject({ code: 0, err: '' })
  expect(markdown.out).toMatch(/^# Write a file\n.*## Bobbin.*Done\./s)
  expect(JSON.parse((await bobbin(bot.dataDir, 'export', id, '--format', 'json')).out).thread.id).toBe(id)
  // As chat shows it, and as the terminal lists it.
  for (const short of [id.slice('ses_'.length, 'ses_'.length + 14), id.slice(0, -2)])
    expect(await bobbin(bot.dataDir, 'export', short)).toEqual(markdown)
  await bot.chat.say('Another one')
  const several = await bobbin(bot.dataDir, 'export', id.slice(0, 'ses_'.length + 2))
  expect([several.code, several.err]).toEqual([1, expect.stringContaining('Several threads have an id that begins')])
  expect((await bobbin(bot.dataDir, 'export', 'ses_')).err).toContain('There is no thread')

  const file = join(await scratch(), 'thread.zip')
  const written = await bobbin(bot.dataDir, 'export', id, '--format', 'zip', '--out', file)
  expect(written).toMatchObject({ code: 0, err: `The thread is in ${file}.\n` })
  const zip = await JSZip.loadAsync(await readFile(file))
  expect(await zip.file('files/outputs/a.txt')?.async('string')).toBe('one')
  const again = await bobbin(bot.dataDir, 'export', id, '--out', file)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('already exists')])
})

test('an archive has all files, hidden ones and installed packages too, and breaks off if one can’t be read', async () => {
  const paths = ['outputs/.env', 'outputs/.git/config', 'outputs/node_modules/pad/index.js', 'temp/__pycache__/a.pyc']
  const bot = await startTestBot({ script: [says('Yes.')] })
  const { conversation } = await bot.chat.say('Hello')
  const store = await storeOf(bot)
  const session = await findSession(store.db, conversation)
  if (session === undefined) throw new Error('there is no session')
  const root = join(bot.config.dataDir, 'workspace', homeOf(session))
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), `content of ${path}`)
  }
  const workspace = await openWorkspace(root)
  const zipped = async (files: Workspace) => JSZip.loadAsync(await buffer(await exportAs('zip', store, session, files)))
  const zip = await zipped(workspace)
  for (const path of paths) expect(await zip.file(`files/${path}`)?.async('string')).toBe(`content of ${path}`)

  const failing = (code: string) =>
    Object.create(workspace, {
      readRange: {
        value: async () => {
          throw new Failure(code, 'It can’t be read.', '')
        },
      },
    })
  await expect(zipped(failing('no_access'))).rejects.toMatchObject({ code: 'no_access' })
  // It was removed meanwhile, or its name can't be a path.
  for (const code of ['not_found', 'path_refused'])
    expect(await (await zipped(failing(code))).file('files/outputs/.env')?.async('string')).toBe('')
})

test('an archive breaks off if a file is replaced or removed while it is read', async () => {
  const bot = await startTestBot({ script: [says('Yes.')] })
  const { conversation } = await bot.chat.say('Hello')
  const store = await storeOf(bot)
  const session = await findSession(store.db, conversation)
  if (session === undefined) throw new Error('there is no session')
  const outputs = join(bot.config.dataDir, 'workspace', homeOf(session), 'outputs')
  await mkdir(outputs, { recursive: true })
  const file = join(outputs, 'large.bin')
  const workspace = await openWorkspace(dirname(outputs))
  /** `meanwhile`: what happens once the first part of the file is read. */
  const zipped = async (meanwhile: () => Promise<void>) => {
    await writeFile(file, Buffer.alloc(2_500_000, 'a'))
    let isFirst = true
    const readRange: Workspace['readRange'] = async (...range) => {
      const bytes = await workspace.readRange(...range)
      if (isFirst) await meanwhile()
      isFirst = false
      return bytes
    }
    return buffer(await exportAs('zip', store, session, Object.create(workspace, { readRange: { value: readRange } })))
  }
  const other = join(outputs, '.other.bin')
  const replace = async () => {
    await writeFile(other, Buffer.alloc(2_600_000, 'b'))
    await rename(other, file)
  }
  await expect(zipped(replace)).rejects.toMatchObject({ code: 'changed' })
  await expect(zipped(() => rm(file))).rejects.toMatchObject({ code: 'not_found' })
})

test('of a thread that can’t be exported whole, no file is left, and what is said is why', async () => {
  const folder = await scratch()
  const save = (thrown: Error) => {
    const broken = async function* () {
      yield 'the beginning'
      throw thrown
    }
    return saveExport(Readable.from(broken()), join(folder, 'thread.zip'), new AbortController().signal)
  }
  const failure = new Failure('no_access', 'It can’t be read.', '')
  const outage = new Unavailable('database_lost', 'The database doesn’t answer.', 'Start it', { passes: true })
  for (const thrown of [failure, outage]) await expect(save(thrown)).rejects.toBe(thrown)
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  await expect(save(full)).rejects.toMatchObject({ code: 'not_written' })
  expect(await readdir(folder)).toEqual([])
})

test('of an export that is stopped with Ctrl-C, no file is left', async () => {
  const bot = await startTestBot({ script: [says('Yes.')] })
  const { conversation } = await bot.chat.say('Hello')
  const session = await findSession((await storeOf(bot)).db, conversation)
  if (session === undefined) throw new Error('there is no session')
  const large = join(bot.config.dataDir, 'workspace', homeOf(session), 'outputs', 'large.bin')
  await mkdir(dirname(large), { recursive: true })
  await writeFile(large, '')
  await truncate(large, 20_000_000_000)

  const file = join(await scratch(), 'thread.zip')
  const env = { PATH: process.env.PATH, BOBBIN_HOME: bot.dataDir, BOBBIN_DATA_DIR: bot.dataDir }
  const child = spawn(process.execPath, ['src/bin.js', 'export', conversation, '--format', 'zip', '--out', file], {
    env,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = text(child.stderr)
  await until('the file', async () => existsSync(file) && (await stat(file)).size > 0)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(await said).toBe('The export was stopped. Nothing was written.\n')
  expect(existsSync(file)).toBe(false)
})

test('export says which thread or format there isn’t', async () => {
  const bot = await startTestBot({ script: [says('Yes.')] })
  const { conversation: id } = await bot.chat.say('Hello')
  expect((await bobbin(bot.dataDir, 'export', 'ses_none')).err).toContain('There is no thread "ses_none"')
  expect((await bobbin(bot.dataDir, 'export', id, '--format', 'pdf')).code).toBe(2)
  expect((await bobbin(bot.dataDir, 'export')).code).toBe(2)
})

test('the export of a long thread lets everything else go on between its pages', async () => {
  const bot = await startTestBot({ script: [says('Yes.')] })
  const { conversation } = await bot.chat.say('Hello')
  const store = await storeOf(bot)
  const session = await findSession(store.db, conversation)
  if (session === undefined) throw new Error('there is no thread')
  const said = { role: 'user' as const, text: 'More', files: [] }
  const messages = Array.from({ length: 1500 }, () => ({
    type: 'message' as const,
    data: { ...said, message_id: newId('msg'), person: { id: 'ana', name: 'Ana' } },
  }))
  await store.transaction((tx) => appendEvents(tx, session.id, messages))
  let entries: unknown[] = []
  const turns = await turnsDuring(async () => {
    entries = (await exportThread(store, session, undefined)).entries
  })
  expect(entries).toHaveLength(1502)
  // Masking takes longer than reading.
  expect(turns).toBeGreaterThanOrEqual(70)
})

/** Takes events of one turn into the entries of an export. */
function takingTurn() {
  const entries = new Entries()
  const take = (type: string, data: object) =>
    entries.take({ type, timestamp: '', data: { turn_id: 'turn_1', files: [], ...data } } as never)
  return { entries, take }
}

test('an answer that is posted with a word about its lateness is exported once, with that word', () => {
  const texts = ['Part one.\n\nDone.', 'Done.']
  const late = `_ana wrote this 3 days ago._\n\n${texts[0]}`
  const { entries, take } = takingTurn()
  for (const text of texts) take('text_end', { text })
  take('complete', { content: texts[1] })
  for (const text of [late, texts[1]]) take('message', { role: 'assistant', text })
  expect(entries.all).toMatchObject([{ text: late }, { text: texts[1] }])
})

test('an answer that begins with what was said before its calls stands after them', () => {
  const before = 'I’ll check the log.'
  const answer = `${before}\n\nIt says 42.`
  const { entries, take } = takingTurn()
  take('text_end', { text: before })
  take('act', { call_id: 'call_1', tool_name: 'read_file', tool_input: {} })
  take('text_end', { text: answer })
  take('complete', { content: answer })
  take('message', { role: 'assistant', text: answer })
  expect(entries.all).toMatchObject([{ text: before }, { tool: 'read_file' }, { text: answer }])
})
