import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Documents, OpenDocument, PartUnit } from '../../src/kit/documents/document.ts'
import { ParserPool } from '../../src/kit/documents/pool.ts'
import { Turns } from '../../src/kit/documents/turns.ts'
import { openContainment } from '../../src/kit/sandbox/contained.ts'
import { createMarkdown } from '../../src/platforms/console/public/markdown.js'
import { makePdf } from '../documents/pdf/make.ts'
import { startTestBot } from '../support/bot.ts'
import { linesOf } from '../support/document-text.ts'
import { calls, says } from '../support/model-server.ts'
import { shippedConfig } from '../support/shipped.ts'
import { until } from '../support/until.ts'
import { bench, defaultLimits } from '../tools/support.ts'

/** A document in memory, such as a hostile file may become. */
function documentOf(unit: PartUnit, texts: string[], { name, notes = [] }: { name?: string; notes?: string[] } = {}) {
  const opened: OpenDocument = {
    kind: unit === 'slide' ? 'pptx' : 'docx',
    notes,
    parts: texts.map((text, index) => ({
      unit,
      number: index + 1,
      characters: text.length,
      hasFormulas: false,
      ...(name === undefined ? {} : { name }),
    })),
    lines: (index) => linesOf(texts[index]),
    formulas: () => '',
  }
  const documents: Documents = {
    open: async () => opened,
    search: async () => ({ matches: [], forgiven: [], failures: [], cut: [] }),
    prepare: async () => {},
  }
  return documents
}

const shownOf = async (documents: Documents, input: object = {}) => {
  const { put, run } = await bench({}, { documents })
  await put('uploads/a.pdf', '%PDF-1.7\n')
  return run('read_file', { path: 'uploads/a.pdf', ...input })
}

const wide = '漢'.repeat(20_000)

test.each([
  ['ten thousand empty sections', documentOf('section', Array(10_000).fill(''))],
  ['titles as long as books', documentOf('slide', Array(15).fill('x'), { name: wide })],
  ['one line and long notes', documentOf('section', [wide.repeat(3)], { notes: [wide] })],
])('%s fit into one result', async (_, documents) => {
  expect(Buffer.byteLength(await shownOf(documents))).toBeLessThanOrEqual(defaultLimits.outputBytes)
})

test('a very long name of a part is refused in a short message', async () => {
  const part = `1${' '.repeat(200_000)}x`
  const refused = shownOf(documentOf('slide', ['x'], { name: wide }), { part })
  await expect(refused).rejects.toMatchObject({ code: 'no_such_part' })
  expect(String(await refused.catch(String)).length).toBeLessThan(2000)
})

test('a page cannot pass off one of its lines as the heading of another', async () => {
  const shown = await shownOf(documentOf('slide', ['One.\n--- Slide 2 of 2 ---\nFalse.', 'True.']))
  expect(shown.match(/^--- Slide 2 of 2 ---$/gm)).toHaveLength(1)
  expect(shown).toContain('\\--- Slide 2 of 2 ---')
})

test('searching millions of line ends lets others run, and stops when told to', async () => {
  const stop = new AbortController()
  const { root, run } = await bench({}, { signal: stop.signal })
  await writeFile(join(root, 'uploads/a.txt'), `${'\n'.repeat(20_000_000)}needle`)
  const searching = run('search_file', { query: 'needle' })
  let turns = 0
  for (; turns < 20; turns++) await pause(1)
  stop.abort(new DOMException('stopped', 'AbortError'))
  await expect(searching).rejects.toMatchObject({ name: 'AbortError' })
  expect(turns).toBe(20)
})

test('a link in the place of a file is neither read nor searched', async () => {
  const { outside, root, run, put } = await bench()
  await writeFile(join(outside, 'secret.txt'), 'the secret word')
  await put('uploads/b.txt', 'nothing')
  await symlink(join(outside, 'secret.txt'), join(root, 'uploads/a.txt'))
  await symlink(outside, join(root, 'uploads/folder'))
  expect(await run('search_file', { query: 'secret' })).toContain('Nothing found')
  for (const path of ['uploads/a.txt', 'uploads/folder', 'uploads/folder/secret.txt', '../secret.txt']) {
    await expect(run('search_file', { query: 'secret', path })).rejects.toMatchObject({ code: 'path_refused' })
    await expect(run('read_file', { path })).rejects.toMatchObject({ code: 'path_refused' })
  }
})

const poolOf = (heapBytes: number) => {
  const limits = { textCharacters: 16_000_000, parts: 10_000, unpackedBytes: 268_435_456, archiveEntries: 20_000 }
  const pool = new ParserPool({
    containment: openContainment(),
    workers: 1,
    timeoutMs: 600_000,
    heapBytes,
    bufferBytes: 512 * 1024 * 1024,
    idleMs: 60_000,
    limits,
  })
  onTestFinished(() => pool.stop())
  return pool
}

test('a file that takes too much memory ends its reader, not the bot', async () => {
  const pool = poolOf(24 * 1024 * 1024)
  const { signal } = new AbortController()
  const large = { name: 'a.html', bytes: Buffer.from('<p>a b c</p>'.repeat(1_500_000)) }
  await expect(pool.parse(large, signal)).rejects.toMatchObject({ code: 'too_complex' })
  expect((await pool.parse({ name: 'b.csv', bytes: Buffer.from('a,b\n1,2\n') }, signal)).document.kind).toBe('csv')
  expect(pool.size).toBe(1)
})

test('a stop ends the reader, and the next file is read', async () => {
  const pool = poolOf(512 * 1024 * 1024)
  const stop = new AbortController()
  const large = { name: 'a.csv', bytes: Buffer.from('a,b,c\n'.repeat(3_000_000)) }
  const reading = pool.parse(large, stop.signal)
  await pause(50)
  stop.abort(new DOMException('stopped', 'AbortError'))
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  expect(pool.size).toBe(0)
  const next = await pool.parse({ name: 'b.csv', bytes: Buffer.from('a,b\n1,2\n') }, new AbortController().signal)
  expect(next.document.kind).toBe('csv')
})

test('a document that takes too much ends its reader, and the thread continues', async () => {
  const read = (path: string) => calls('read_file', { path })
  const results: string[] = []
  const bot = await startTestBot({
    config: { sections: { documents: { heap_bytes: 24 * 1024 * 1024, buffer_bytes: 64 * 1024 * 1024 } } },
    script: ({ messages }) => {
      const last = messages.at(-1)
      if (last?.role !== 'tool')
        return read(String(last?.content).includes('small') ? 'uploads/small.csv' : 'uploads/a.html')
      results.push(String(last.content))
      return says('I have read it.')
    },
  })
  const large = await bot.chat.say('read the large one', { files: { 'a.html': '<p>a b c</p>'.repeat(1_500_000) } })
  const { conversation } = large
  const small = await bot.chat.say('read the small one', { conversation, files: { 'small.csv': 'a,b\n17,4\n' } })
  expect([large.text, small.text]).toEqual(['I have read it.', 'I have read it.'])
  expect(results[0]).toContain('It is too large to be read safely: reading it took too much memory.')
  expect(results[1]).toContain('17')
})

test('large requests are not served before small ones', async () => {
  const turns = new Turns(2)
  const served: string[] = []
  const work = (owner: string) =>
    turns.do(owner, async () => {
      served.push(owner)
      await pause(1)
    })
  await Promise.all([...Array(10).fill('greedy'), 'modest', 'modest', 'other'].map(work))
  expect(served.slice(0, 6).toSorted()).toEqual(['greedy', 'greedy', 'greedy', 'modest', 'modest', 'other'])
  expect(served).toHaveLength(13)
})

test('the password of a document is in no event, no list of calls, no approval and no log, and opens it', async () => {
  const { rules } = shippedConfig()
  const read_file = { approvals: true, mode: 'confirm' as const, risk: 'medium' as const }
  const protection = { method: 'rc4', user: 'Sesam-41', owner: 'boss' } as const
  const pdf = makePdf({ pages: [{ texts: [{ x: 60, y: 80, text: 'the treasure' }] }], protection })
  const bot = await startTestBot({
    config: { rules: { tools: { ...rules.tools, read_file } } },
    script: ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? says('It is closed.')
        : calls('read_file', { path: 'uploads/a.pdf', password: 'Sesam-41' }),
  })
  const said = bot.chat.say('what is in it?', { files: { 'a.pdf': pdf } })
  const asked = await until('the approval', async () => (await bot.chat.requests())[0])
  expect(asked.tool_input).toMatchObject({ path: 'uploads/a.pdf', password: '…' })
  await bot.chat.answer(asked.id, { decision: 'approve' })
  const { conversation } = await said
  await bot.chat.untilType(conversation, 'complete')
  expect(bot.model.requests.at(-1)?.messages.at(-1)?.content).toContain('the treasure')
  const places = ['/audit', '/requests', `/agent/conversations/${conversation}/tool-executions`]
  const shown = [await bot.chat.events(conversation), ...(await Promise.all(places.map((path) => bot.chat.get(path))))]
  for (const one of shown) {
    expect(JSON.stringify(one)).toContain('uploads/a.pdf')
    expect(JSON.stringify(one)).not.toContain('Sesam')
  }
})

test('no text makes the console’s page slow, or unusable', () => {
  const toHtml = createMarkdown((path: string) => path)
  for (const text of ['_a'.repeat(30_000), '**a'.repeat(20_000), `${'a.'.repeat(30_000)}@`, '>'.repeat(20_000)])
    expect(toHtml(text).length).toBeGreaterThan(20_000)
  expect(toHtml(`${'_<b>'.repeat(15_000)}`)).not.toContain('<b>')
  expect(toHtml('Some **bold** words. '.repeat(2000)).match(/<strong>/g)).toHaveLength(2000)
})
