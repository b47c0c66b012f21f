import { symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGlob } from '../../src/capabilities/files/glob.ts'
import { effortMs } from '../support/effort.ts'
import { bench } from './support.ts'

const lines = (count: number, of = (number: number) => `line ${number}`) =>
  Array.from({ length: count }, (_, index) => of(index + 1)).join('\n')

test('a small file is read whole, numbered, with its number of lines', async () => {
  const { run, put } = await bench()
  await put('uploads/a.txt', 'one\r\ntwo\n')
  expect(await run('read_file', { path: 'uploads/a.txt' })).toBe(
    '1\tone\n2\ttwo\n[End of uploads/a.txt: it has 2 lines.]',
  )
  await put('uploads/empty', '')
  expect(await run('read_file', { path: 'uploads/empty' })).toBe('[uploads/empty is empty.]')
  expect(await run('read_file', { path: 'uploads/a.txt', offset: 9 })).toBe('[uploads/a.txt has only 2 lines.]')
})

test('a long file comes page by page, and the pages give the whole', async () => {
  const { run, put } = await bench({ readLines: 50 })
  await put('temp/a', lines(120))
  const seen: string[] = []
  let offset: number | undefined = 1
  while (offset) {
    const page: string[] = (await run('read_file', { path: 'temp/a', offset })).split('\n')
    seen.push(...page.slice(0, -1))
    offset = Number(/read on with offset (\d+)/.exec(page.at(-1) ?? '')?.[1] ?? 0)
  }
  expect(seen).toEqual(lines(120, (number) => `${number}\tline ${number}`).split('\n'))
  const some = await run('read_file', { path: 'temp/a', offset: 10, limit: 2 })
  expect(some).toBe('10\tline 10\n11\tline 11\n[Lines 10 to 11 of temp/a. There is more: read on with offset 12.]')
  expect(await run('read_file', { path: 'temp/a', offset: 119, limit: 2 })).toContain(
    '[End of temp/a: it has 120 lines.]',
  )
})

test('a page stays below the bytes of a result, and a large file points to search', async () => {
  const { run, put } = await bench({ searchHintBytes: 60_000 })
  await put(
    'temp/a',
    lines(1900, (number) => `${number} `.padEnd(60, 'ü')),
  )
  const page = await run('read_file', { path: 'temp/a' })
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(51_200)
  expect(Buffer.byteLength(page)).toBeGreaterThan(49_000)
  expect(page).toContain('search_file finds a place in it faster')
})

test('long lines are cut, and a file of one endless line can be read past', async () => {
  const { run, put } = await bench({ lineCharacters: 10, readBytes: 20, outputBytes: 800 })
  await put('temp/a', `${'ü'.repeat(3_000_000)}\nnext`)
  expect(await run('read_file', { path: 'temp/a' })).toMatch(
    /^1\tü{10}… \[line cut: it has 6,000,000 bytes; read on with offset 1, column 11\]\n\[Lines 1 to 1/,
  )
  expect(await run('read_file', { path: 'temp/a', offset: 2 })).toContain('2\tnext')
})

test('a line that is cut can be read on to its end, piece by piece', async () => {
  const { run, put } = await bench({ lineCharacters: 10, readBytes: 1_000, outputBytes: 1_000 })
  const whole = Array.from({ length: 400 }, (_, at) => `${at} ü😀`).join(' ')
  await put('temp/a', `one\n${whole}`)
  let read = await run('read_file', { path: 'temp/a' })
  expect(read).toMatch(/\[Last lines of temp\/a: it has 2 lines\. Not all is shown: a line that is cut says how to/)
  let text = /^2\t(.*)… \[line cut/m.exec(read)?.[1] ?? ''
  for (let next = columnIn(read); next !== undefined; next = columnIn(read)) {
    read = await run('read_file', { path: 'temp/a', offset: 2, column: next })
    text += /^2\t(.*)$/m.exec(read)?.[1]
  }
  expect(text).toBe(whole)
  expect(read).toMatch(
    /\[Line 2 of temp\/a from column \d+ to its end\. The next line, if there is one, has offset 3\.\]$/,
  )
  await expect(run('read_file', { path: 'temp/a', offset: 3, column: 2 })).rejects.toThrow('temp/a has only 2 lines.')
  await expect(run('read_file', { path: 'temp/a', offset: 1, column: 4 })).rejects.toThrow(
    'Line 1 of temp/a from column 4: there is nothing to show.',
  )
  expect(await run('read_file', { path: 'temp/a', column: 1 })).toContain('1\tone\n2\t0 ü')

  function columnIn(page: string): number | undefined {
    const column = /read on with offset 2, column (\d+)/.exec(page)?.[1]
    return column === undefined ? undefined : Number(column)
  }
})

test('a line is masked only as far as it is needed, and a column farther than that is refused', async () => {
  const masked: number[] = []
  const mask = (text: string) => {
    masked.push(text.length)
    return text
  }
  const { run, put } = await bench({ readBytes: 1_000 }, { mask })
  await put('temp/a', 'x'.repeat(3_000_000))
  const read = await run('read_file', { path: 'temp/a', column: 999_500 })
  expect(read).toMatch(/from column 999500 to 1000499\. There is more: use a command, such as `cut -c`, for what/)
  expect(Math.max(...masked)).toBeLessThan(1_100_000)
  await expect(run('read_file', { path: 'temp/a', column: 1_000_001 })).rejects.toThrow(
    'use a command, such as `cut -c`',
  )
})

test('invalid bytes are reported, and UTF-16 is read', async () => {
  const { run, put } = await bench()
  await put(
    'temp/broken',
    Buffer.concat([Buffer.from('zwölf Bäume stehen hier, schön grün, \n'.repeat(3)), Buffer.from([0xff, 0xfe, 10])]),
  )
  expect(await run('read_file', { path: 'temp/broken' })).toContain('Not valid UTF-8: 2 bytes of this page')
  await put('temp/latin', Buffer.from('Gr\xfc\xdfe aus K\xf6ln\n', 'latin1'))
  expect(await run('read_file', { path: 'temp/latin' })).toContain('1\tGrüße aus Köln')
  await put('temp/utf16', Buffer.from('\uFEFFzwölf\nx', 'utf16le'))
  expect(await run('read_file', { path: 'temp/utf16' })).toContain('1\tzwölf\n2\tx')
  await put('temp/bom', '\uFEFFone')
  expect(await run('read_file', { path: 'temp/bom' })).toMatch(/^1\tone\n/)
})

test("a file that isn't text is named as what it is", async () => {
  const { run, put } = await bench()
  await put('uploads/a.wasm', Buffer.from('0061736d01000000', 'hex'))
  await expect(run('read_file', { path: 'uploads/a.wasm' })).rejects.toThrow(
    'is a binary file (application/wasm) of 8 bytes',
  )
  await put('uploads/b.bin', Buffer.from('0001020304050607', 'hex'))
  await expect(run('read_file', { path: 'uploads/b.bin' })).rejects.toThrow('is a binary file of 8 bytes and cannot be')
  await expect(run('read_file', { path: 'uploads' })).rejects.toMatchObject({ code: 'not_a_file' })
  await expect(run('read_file', { path: 'none' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(run('read_file', { path: '../x' })).rejects.toMatchObject({ code: 'path_refused' })
})

test('50 MB are read piece by piece', async () => {
  const { run, workspace, context } = await bench()
  const block = Buffer.from(`${lines(1000, (number) => `${number}`.padEnd(99, '.'))}\n`)
  await workspace.write(
    'temp/big',
    (async function* () {
      for (let index = 0; index < 500; index++) yield block
    })(),
  )
  const lengths: number[] = []
  context.workspace = {
    ...workspace,
    read: () => Promise.reject(new Error('the whole file was read at once')),
    readRange(path, offset, length) {
      lengths.push(length)
      return workspace.readRange(path, offset, length)
    },
  }
  const page = await run('read_file', { path: 'temp/big', offset: 499_999 })
  expect(page).toMatch(
    /^499999\t999\.+\n500000\t1000\.+\n\[End of temp\/big: it has 500,000 lines\. The file has 50,000,000 bytes/,
  )
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1024 * 1024)
})

test('reading stops when told to', async () => {
  const { run, put } = await bench({}, { signal: AbortSignal.abort(new Error('stopped')) })
  await put('temp/a', 'x')
  await expect(run('read_file', { path: 'temp/a' })).rejects.toThrow('stopped')
  await expect(run('grep_files', { pattern: 'x' })).rejects.toThrow('stopped')
})

test('write_file says whether it made or replaced', async () => {
  const { run, text } = await bench()
  expect(await run('write_file', { path: 'outputs/x/a.md', content: 'ü\ntwo' })).toBe(
    'Created outputs/x/a.md: 6 bytes, 2 lines.',
  )
  expect(await run('write_file', { path: 'outputs/x/a.md', content: '' })).toBe(
    'Replaced outputs/x/a.md (it had 6 bytes): 0 bytes, 0 lines.',
  )
  expect(await text('outputs/x/a.md')).toBe('')
  await expect(run('write_file', { path: 'skills/x', content: '' })).rejects.toMatchObject({ code: 'path_refused' })
})

test('write_file makes no Office or PDF files of text, and names what does', async () => {
  const { run, text } = await bench()
  for (const [path, skill] of [
    ['outputs/a.xlsx', 'xlsx'],
    ['outputs/b.DOCX', 'docx'],
    ['outputs/c.pptx', 'pptx'],
    ['outputs/d.pdf', 'pdf'],
  ] as const)
    await expect(run('write_file', { path, content: 'a,b' })).rejects.toMatchObject({
      message: expect.stringMatching(/Office.* open it/),
      remedy: expect.stringContaining(`The skill ${skill} makes a real one`),
    })
  await run('write_file', { path: 'temp/real.pdf', content: '%PDF-1.4\n' })
  expect(await text('temp/real.pdf')).toBe('%PDF-1.4\n')
})

test('list_files: folders first, sizes and times, hidden left out, a cap', async () => {
  const { run, put, root } = await bench({ listEntries: 3 })
  for (const name of ['b.txt', 'a.txt', '.hidden', 'z/x']) await put(`temp/${name}`, 'four')
  await symlink('/etc/passwd', join(root, 'temp/c-link'))
  for (const name of ['a.txt', 'b.txt']) await utimes(join(root, 'temp', name), 1_772_000_000, 1_772_000_000)
  expect(await run('list_files', { path: 'temp' })).toBe(
    'z/\na.txt  4 bytes  2026-02-25 07:13\nb.txt  4 bytes  2026-02-25 07:13\n' +
      '[4 entries in temp; the first 3 are shown; find_files narrows it down; 1 hidden left out.]',
  )
  expect(await run('list_files', {})).toContain('outputs/\nskills/\ntemp/\n')
})

test('a name with a line end cannot pass itself off as another entry', async () => {
  const { run, put } = await bench()
  await put('temp/a\n[1 file found.]', 'x')
  expect(await run('list_files', { path: 'temp' })).toContain('"a\\n[1 file found.]"')
  expect(await run('find_files', { pattern: '*' })).toContain('"temp/a\\n[1 file found.]"')
})

test('find_files: newest first, relative to its folder, capped', async () => {
  const { run, put, root } = await bench({ listEntries: 2 })
  for (const [index, name] of ['a.csv', 'deep/b.csv', 'deep/c.md', 'd.CSV', 'e.csv', 'node_modules/f.csv'].entries()) {
    await put(`temp/${name}`, 'x')
    await utimes(join(root, 'temp', name), 1000 + index, 1000 + index)
  }
  const found = await run('find_files', { pattern: '*.csv' })
  expect(found.split('\n').map((line) => line.split('  ')[0])).toEqual([
    'temp/e.csv',
    'temp/d.CSV',
    '[4 files found; the newest 2 are shown; narrow the pattern for others.]',
  ])
  expect(await run('find_files', { pattern: 'deep/*.{md,txt}', path: 'temp' })).toContain('temp/deep/c.md  1 byte  ')
  expect(await run('find_files', { pattern: 'none*' })).toBe('[0 files found.]')
})

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'deep/a.ts', true],
  ['./*.ts', 'deep/a.ts', false],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/a/b/c.ts', true],
  ['src/**', 'src/a/b', true],
  ['**/b/*', 'xb/c', false],
  ['a?c', 'abc', true],
  ['x/a?c', 'x/a/c', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[!a-c]x', 'dx', true],
  ['y/[!a]z', 'y//z', false],
  ['[]]x', ']x', true],
  ['{a,b{c,d}}.md', 'bd.md', true],
  ['{a,b{c,d}}.md', 'b.md', false],
  ['a,b', 'a,b', true],
  ['a.b', 'axb', false],
  ['(a|b)+', '(a|b)+', true],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['ä*', 'äpfel', true],
  ['ä*', 'a\u0308pfel', true],
  ['a\u0308*', 'äpfel', true],
  ['a\nb*', 'a\nbc', true],
  ['*.pdf', 'Scan.PDF', true],
  ['Ä*', 'äpfel', true],
  ['[A-Z]x', 'ax', false],
  ['[A-Z]x', 'AX', true],
  ['[!a-z]x', 'Ax', true],
])('the glob %s and %s: %s', (glob, path, fits) => {
  expect(compileGlob(glob)(path)).toBe(fits)
})

test('an invalid glob is an error, and no glob takes long', async () => {
  for (const glob of ['{a', 'a}', '/etc/*', '', '[z-a]', 'x'.repeat(2000), '['.repeat(1_000_000)]) {
    expect(() => compileGlob(glob), glob.slice(0, 100)).toThrow(expect.objectContaining({ code: 'bad_pattern' }))
  }
  const effort = await effortMs(() => {
    expect(compileGlob(`${'*a'.repeat(20)}b`)('a'.repeat(250))).toBe(false)
  })
  expect(effort).toBeLessThan(200)
})

test('a name without signs is its own glob', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z .+()^$|-]{1,20}$/), (name) => {
      const fits = compileGlob(name)
      return fits(name) && !fits(`${name}x`)
    }),
  )
})
