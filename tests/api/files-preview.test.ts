import { mkdir, open, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { ApiDeps } from '../../src/api/deps.ts'
import { errorResponse } from '../../src/api/errors.ts'
import { previewRoutes } from '../../src/api/preview.ts'
import type { Documents, OpenDocument } from '../../src/kit/documents/document.ts'
import { Failure } from '../../src/kit/failure.ts'
import { workspacesIn } from '../../src/workspace/workspaces.ts'
import { linesOf } from '../support/document-text.ts'
import { newSession, openStore, scratch } from '../support/store.ts'

const rethrow = (thrown: unknown) => {
  throw thrown
}

const sheet = '| | A | C |\n| --- | --- | --- |\n| 1 | Name | Sum |\n| 4 | a \\| b<br>c | 12 |'

const opened: OpenDocument = {
  kind: 'xlsx',
  notes: ['The sheet "Old" is hidden.'],
  parts: [
    { unit: 'sheet', number: 1, name: 'Sales', characters: 80, hasFormulas: false },
    { unit: 'section', number: 2, name: 'Words', characters: 300_000, hasFormulas: false },
  ],
  lines: (index) => linesOf(index === 0 ? sheet : `# Words\n${'x'.repeat(300_000)}`),
  formulas: () => '',
}

const damaged = new Failure('damaged', 'It is damaged: it has no end.', 'Ask for the file once more.')

/** Documents of which one can be opened, and one is damaged. */
const documents: Documents = {
  open: async (path) => {
    if (path.includes('broken')) throw damaged
    return opened
  },
  search: () => Promise.reject(new Error('nothing is searched here')),
  prepare: async () => {},
}

interface View {
  kind?: string
  text: string
  rows: string[][]
  cut: boolean
  error?: { code: string; message: string }
}

/** The route over a workspace that holds these files. */
async function previews(files: Record<string, string | Uint8Array>) {
  const directory = await scratch()
  const store = await openStore()
  const session = await newSession(store)
  const workspaces = workspacesIn(directory, rethrow)
  const { root } = await workspaces.open(session)
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, 'uploads', name), content)
  const app = new Hono()
  app.onError((thrown, context) => errorResponse(context, thrown, rethrow))
  // The rest of what routes are made of is not used by this one.
  previewRoutes(app, { store, workspaces, documentsOf: async () => documents } as unknown as ApiDeps)
  const ask = (path: string) => app.request(`/agent/conversations/${session.id}/preview/${path}`)
  const view = async (name: string, query = '') => {
    const response = await ask(`uploads/${encodeURIComponent(name)}${query}`)
    return { status: response.status, ...((await response.json()) as View) }
  }
  return { ask, view, root }
}

const zip = new Uint8Array([
  0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
])

describe('the preview', () => {
  test('of a text is its beginning, in its own encoding', async () => {
    const { view } = await previews({
      'a.txt': 'one\ntwo\n',
      'large.txt': `${'é'.repeat(99_999)}xyé${'z'.repeat(900_000)}`,
      'empty.txt': '',
      'old.txt': Buffer.from('Grüße aus Köln, viel Text damit es einer ist', 'latin1'),
      'wide.txt': Buffer.from('\uFEFFhello', 'utf16le'),
      'page.html': '<script>alert(1)</script>',
      'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    })
    expect(await view('a.txt')).toMatchObject({
      kind: 'text',
      text: 'one\ntwo\n',
      encoding: 'utf-8',
      cut: false,
      path: 'uploads/a.txt',
      type: 'text/plain',
      size: 8,
    })
    const large = await view('large.txt')
    expect(large).toMatchObject({ kind: 'text', cut: true })
    expect(large.text).toBe(`${'é'.repeat(99_999)}xy`)
    expect(await view('empty.txt')).toMatchObject({ kind: 'text', text: '', cut: false })
    expect(await view('old.txt')).toMatchObject({ encoding: 'windows-1252', text: expect.stringContaining('Grüße') })
    expect(await view('wide.txt')).toMatchObject({ encoding: 'utf-16le', text: 'hello' })
    expect(await view('page.html')).toMatchObject({ kind: 'text', text: '<script>alert(1)</script>' })
    expect(await view('icon.svg')).toMatchObject({ kind: 'text', type: 'image/svg+xml' })
  })

  test('of a CSV file is a table, or its text where that is asked for', async () => {
    const many = Array.from({ length: 3_000 }, (_, row) => `${row},"x, y"`).join('\n')
    const { view } = await previews({
      'a.csv': 'name;sum\n"a;b";1\n\n__proto__;2\n',
      'many.csv': `n,words\n${many}`,
      'long.csv': `a,b\n${`${'1'.repeat(9_000)},2\n`.repeat(40)}`,
      'empty.csv': '',
    })
    expect(await view('a.csv')).toMatchObject({
      kind: 'table',
      columns: ['name', 'sum'],
      rows: [
        ['a;b', '1'],
        ['__proto__', '2'],
      ],
      numbers: [1, 2],
      cut: false,
    })
    expect(await view('a.csv', '?as=text')).toMatchObject({ kind: 'text', text: expect.stringMatching(/^name;sum/) })
    const table = await view('many.csv')
    expect(table.rows).toHaveLength(1_000)
    expect(table).toMatchObject({ cut: true })
    const long = await view('long.csv')
    expect(long.cut).toBe(true)
    expect(long.rows.every((row) => row.length === 2 && (row[0]?.length ?? 0) <= 1_001)).toBe(true)
    expect(await view('empty.csv')).toMatchObject({ kind: 'text', text: '' })
  })

  test('of a document is one of its parts, a sheet as a table', async () => {
    const { view } = await previews({ 'book.xlsx': zip, 'broken.docx': zip })
    expect(await view('book.xlsx')).toMatchObject({
      kind: 'table',
      part: 0,
      parts: [{ unit: 'sheet', number: 1, name: 'Sales' }, { name: 'Words' }],
      columns: ['A', 'C'],
      numbers: [1, 4],
      rows: [
        ['Name', 'Sum'],
        ['a | b\nc', '12'],
      ],
      notes: ['The sheet "Old" is hidden.'],
    })
    const words = await view('book.xlsx', '?part=1')
    expect(words).toMatchObject({ kind: 'pages', document: 'xlsx', part: 1, cut: true })
    expect(words.text).toHaveLength(200_000)
    expect(await view('book.xlsx', '?part=2')).toMatchObject({ status: 404, error: { code: 'not_found' } })
    expect(await view('book.xlsx', '?part=-1')).toMatchObject({ status: 400 })
    expect(await view('broken.docx')).toMatchObject({
      status: 400,
      error: { code: 'damaged', message: damaged.message },
    })
  })

  test('of a picture and of a PDF file leaves the drawing to the screen, by what they are and not by their names', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
    const { view } = await previews({
      'a.png': png,
      'b.txt': png,
      'fake.png': '<svg onload="alert(1)"/>',
      'a.pdf': '%PDF-1.4\n%\x00\x01\x02\x03',
      'a.bin': new Uint8Array(500).fill(1),
    })
    expect(await view('a.png')).toMatchObject({ kind: 'image', type: 'image/png' })
    expect(await view('b.txt')).toMatchObject({ kind: 'image', type: 'image/png' })
    expect((await view('fake.png')).kind).toBe('text')
    expect(await view('a.pdf')).toMatchObject({ kind: 'pages', document: 'pdf', parts: [] })
    expect(await view('a.pdf', '?as=text')).toMatchObject({ kind: 'table', document: 'xlsx' })
    expect(await view('a.bin')).toMatchObject({ kind: 'none', reason: expect.stringMatching(/\w/) })
  })

  test('of 50 MB reads only the beginning', async () => {
    const { view, root } = await previews({})
    await using file = await open(join(root, 'uploads/huge.log'), 'w')
    for (let part = 0; part < 50; part++) await file.write(Buffer.alloc(1_000_000, 'a line of it\n'))
    const huge = await view('huge.log')
    expect(huge).toMatchObject({ kind: 'text', size: 50_000_000, cut: true })
    expect(huge.text).toHaveLength(200_000)
  })

  test.each([
    ['climbing', '..%2f..%2fsecret'],
    ['climbing from a folder', 'uploads%2f..%2f..%2fsecret'],
    ['an absolute path', '%2fetc%2fpasswd'],
    ['a NUL', 'uploads%2fa.txt%00.png'],
    ['a folder', 'uploads'],
    ['nothing', 'uploads/none'],
    ['a link', 'uploads/link'],
    ['a folder that is a link', 'uploads/away/secret'],
  ])('by %s is refused in words', async (_, path) => {
    const { ask, root } = await previews({ 'a.txt': 'a' })
    const outside = join(root, '../elsewhere')
    await mkdir(outside)
    await writeFile(join(outside, 'secret'), 'the secret')
    await writeFile(join(root, '../secret'), 'the secret')
    await symlink(join(outside, 'secret'), join(root, 'uploads/link'))
    await symlink(outside, join(root, 'uploads/away'))
    const response = await ask(path)
    expect([400, 404]).toContain(response.status)
    const text = await response.text()
    expect(text).not.toContain('the secret')
    expect(JSON.parse(text).error.remedy).toMatch(/\w/)
  })
})
