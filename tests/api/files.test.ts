import { writeFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { says } from '../support/model-server.ts'
import { raw } from './raw.ts'

const anyTime = expect.stringMatching(/^\d{4}-.*Z$/)

const page = '<!doctype html><script>fetch("/api/v1/requests/req_x/answer", {method: "POST"})</script>'

async function withFiles(files: Record<string, string | Uint8Array> = { 'page.html': page }) {
  const bot = await startTestBot({ script: () => says('Seen.') })
  const { conversation } = await bot.chat.say('look', { files, user: 'ana' })
  const base = `/api/v1/agent/conversations/${conversation}/files`
  return { bot, conversation, base, get: (path: string) => raw(bot.chat.url, `${base}/${path}`) }
}

describe('a download', () => {
  test.each([
    ['page.html', page],
    ['picture.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['notes.txt', 'hello'],
    ['data.pdf', '%PDF-1.4\n'],
  ])('of %s cannot act as a page of the console', async (name, content) => {
    const { get } = await withFiles({ [name]: content })
    const answer = await get(`uploads/${name}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(content)
    expect(answer.headers).toMatchObject({
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'content-length': `${Buffer.byteLength(content)}`,
    })
  })

  test('keeps a name that a header cannot hold', async () => {
    const name = "naïve 'report' (1), 100%;.txt"
    const { get } = await withFiles({ [name]: 'x' })
    const answer = await get(`uploads/${encodeURIComponent(name)}`)
    expect(answer.status).toBe(200)
    const disposition = answer.headers['content-disposition'] ?? ''
    expect(disposition).toMatch(/^attachment; filename\*=UTF-8''[\w.!#$&+^`|~%-]+$/)
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(name)
  })

  test.each(['report.csv\r', 'two\nlines.txt', 'line\u2028end.txt'])(
    'of a file that a command named %j, and its preview, can be had',
    async (name) => {
      const { bot, base, get } = await withFiles()
      const folder = (await readdir(join(bot.dataDir, 'workspace'), { recursive: true })).find((path) =>
        path.endsWith('outputs'),
      )
      await writeFile(join(bot.dataDir, 'workspace', folder ?? '', name), 'x')
      const path = `outputs/${encodeURIComponent(name)}`
      expect(await get(path)).toMatchObject({ status: 200, text: 'x' })
      const preview = await fetch(`${bot.chat.url}${base.replace(/files$/, 'preview')}/${path}`)
      expect(await preview.json()).toMatchObject({ path: `outputs/${name}` })
    },
  )

  test('of an empty file is empty', async () => {
    const { get } = await withFiles({ 'empty.txt': '' })
    expect(await get('uploads/empty.txt')).toMatchObject({ status: 200, text: '' })
  })

  test('of a large file is whole', async () => {
    const bytes = Buffer.alloc(3_000_001, 'abcdefg')
    const { bot, base } = await withFiles({ 'large.bin': bytes })
    const response = await fetch(`${bot.chat.url}${base}/uploads/large.bin`)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test.each([
    ['..', '../../../bobbin.db'],
    ['encoded dots', '%2e%2e/%2e%2e/%2e%2e/bobbin.db'],
    ['encoded slashes', 'uploads%2f..%2f..%2f..%2f..%2fbobbin.db'],
    ['dots and slashes encoded', '..%2f..%2f..%2fbobbin.db'],
    ['doubly encoded dots', '%252e%252e%252fbobbin.db'],
    ['backslashes', '..%5c..%5cbobbin.db'],
    ['an absolute path', '%2fetc%2fpasswd'],
    ['a NUL', 'uploads%2fpage.html%00.txt'],
    ['broken encoding', 'uploads/%ff%'],
    ['the metadata of the session', '.metadata.json/../../x'],
    ['a folder', 'uploads'],
    ['a folder with a slash', 'uploads/'],
    ['a file that is not there', 'uploads/none.txt'],
    ['a path of 5,000 characters', `uploads/${'a/'.repeat(2500)}`],
    ['a name of 300 characters', `uploads/${'a'.repeat(300)}`],
  ])('by %s is refused in words', async (_, path) => {
    const { get, bot } = await withFiles()
    await writeFile(join(bot.dataDir, 'secret'), 'secret')
    const answer = await get(path)
    expect([400, 404]).toContain(answer.status)
    expect(answer.json().error).toMatchObject({
      code: expect.stringMatching(/^\w+$/),
      message: expect.stringMatching(/./),
      remedy: expect.stringMatching(/./),
    })
    expect(answer.text).not.toContain('SQLite')
    expect(answer.text).not.toContain(bot.dataDir)
  })

  test('from another thread is not to be had', async () => {
    const { bot, conversation, get } = await withFiles({ 'mine.txt': 'mine' })
    const other = await bot.chat.say('another')
    const answer = await get(`../../${other.conversation}/files/uploads/mine.txt`)
    expect(answer.text).not.toBe('mine')
    const none = await raw(bot.chat.url, `/api/v1/agent/conversations/${other.conversation}/files/uploads/mine.txt`)
    expect(none.status).toBe(404)
    const unknown = await raw(bot.chat.url, `/api/v1/agent/conversations/${conversation}x/files`)
    expect(unknown.status).toBe(404)
  })
})

test('the list has path, size, type and time, hidden files left out', async () => {
  const { bot, conversation, base } = await withFiles({ 'a.csv': 'a,b\n', 'b.md': '# b' })
  const temp = join(bot.dataDir, 'workspace', conversation, 'temp')
  await mkdir(join(temp, '.hidden'))
  await writeFile(join(temp, '.hidden/x'), 'x')
  await writeFile(join(temp, 'note.txt'), 'note')
  const { files, turns, ...rest } = (await raw(bot.chat.url, base)).json<{ files: object[]; turns: object[] }>()
  expect(rest).toEqual({ has_more: false, has_more_turns: false })
  const turn = { turn_id: expect.stringMatching(/^turn_/), person: { id: 'ana', name: 'ana' }, started_at: anyTime }
  const changed_in = { ...turn, change: 'added' }
  expect(files).toEqual([
    { path: 'uploads/a.csv', size: 4, type: 'text/csv', modified_at: anyTime, changed_in },
    { path: 'uploads/b.md', size: 3, type: 'text/markdown', modified_at: anyTime, changed_in },
    { path: 'temp/note.txt', size: 4, type: 'text/plain', modified_at: anyTime, changed_in: null },
  ])
  const changes = [
    { path: 'uploads/a.csv', change: 'added', size: 4 },
    { path: 'uploads/b.md', change: 'added', size: 3 },
  ]
  expect(turns).toEqual([{ ...turn, total: 2, changes }])
})

test('a list that is too long says so, and begins with what the bot made', async () => {
  const { bot, conversation, base } = await withFiles({ 'mine.txt': 'x' })
  const outputs = join(bot.dataDir, 'workspace', conversation, 'outputs')
  const names = Array.from({ length: 4_999 }, (_, number) => join(outputs, `${number}.txt`))
  for (const name of names) writeFileSync(name, '')
  type List = { files: { path: string }[]; has_more: boolean }
  const whole = (await raw(bot.chat.url, base)).json<List>()
  expect([whole.files.length, whole.files.at(-1)?.path, whole.has_more]).toEqual([5_000, 'uploads/mine.txt', false])
  writeFileSync(join(outputs, 'one-more.txt'), '')
  const cut = (await raw(bot.chat.url, base)).json<List>()
  expect([cut.files.length, cut.files.at(-1)?.path.split('/')[0], cut.has_more]).toEqual([5_000, 'outputs', true])
})
