import { link } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { turnsDuring } from '../support/turns-during.ts'
import { bench } from './support.ts'

test('matches come with file, line number and neighbours', async () => {
  const { run, put } = await bench()
  await put('temp/a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\r\n')
  await put('temp/b.md', 'two\n')
  expect(await run('grep_files', { pattern: 't(wo|hree)' })).toBe(
    'temp/a.txt\n2: two\n3: three\n\ntemp/b.md\n1: two\n\n[3 matches in 2 files.]',
  )
  expect(await run('grep_files', { pattern: 'one|six', context_lines: 1, include: '*.txt' })).toBe(
    'temp/a.txt\n1: one\n2- two\n--\n5- five\n6: six\n7- seven\n\n[2 matches in 1 file.]',
  )
  expect(await run('grep_files', { pattern: 'seven$', path: 'temp/a.txt' })).toContain('7: seven\n')
  expect(await run('grep_files', { pattern: 'TWO' })).toBe('[No match.]')
  expect(await run('grep_files', { pattern: 'TWO', ignore_case: true })).toContain('[2 matches in 2 files.]')
  expect(await run('grep_files', { pattern: 'two', include: 'none/*' })).toBe('[Nothing searched.]')
})

test('how accents are written makes no difference', async () => {
  const { run, put } = await bench()
  await put('temp/a', 'a\u0308 Mu\u0308ller\nMüller\nMuller\n')
  const both = 'temp/a\n1: a\u0308 Mu\u0308ller\n2: Müller\n\n[2 matches in 1 file.]'
  for (const pattern of ['Müller', 'Mu\u0308ller', 'M[üö]ller', 'Mü(?=ller)'])
    expect(await run('grep_files', { pattern }), pattern).toBe(both)
  for (const pattern of ['^[^ü]*$', '^(?!.*ü)', '^Mu'])
    expect(await run('grep_files', { pattern }), pattern).toBe('temp/a\n3: Muller\n\n[1 match in 1 file.]')
})

test('Indian letters that Unicode takes apart are found as they are written', async () => {
  const { run, put } = await bench()
  await put('temp/a', 'হ\u09df\u09c7ছে\nব\u095c\u093e\n')
  expect(await run('grep_files', { pattern: 'হ\u09df' })).toContain('[1 match in 1 file.]')
  expect(await run('grep_files', { pattern: 'ব\u095c[\u093e\u0947]' })).toContain('[1 match in 1 file.]')
})

test('of a long line with accents of two characters the part around the match is shown', async () => {
  const { run, put } = await bench({ lineCharacters: 100 })
  await put('temp/a', `${'u\u0308'.repeat(500)}ö needle${'x'.repeat(500)}\n`)
  expect(await run('grep_files', { pattern: 'ü.?. needle' })).toContain('ö needlexxx')
  await put('temp/a', `${'u\u0308'.repeat(500)}o\u0308 needle${'x'.repeat(500)}\n`)
  expect(await run('grep_files', { pattern: 'ö needle' })).toContain('u\u0308o\u0308 needlexxx')
})

test('binary and linked files are counted, and large ones named, not searched', async () => {
  const { run, put, root } = await bench({ fileBytes: 100 })
  await put('temp/binary', 'needle\0')
  await put('temp/large', 'needle'.padEnd(101))
  await put('temp/linked', 'needle')
  await link(join(root, 'temp/linked'), join(root, 'temp/linked-too'))
  await put('temp/.hidden', 'needle')
  expect(await run('grep_files', { pattern: 'needle' })).toBe(
    '[Nothing searched; 1 file over 100 bytes not searched (temp/large): use search_file with use_regex; 1 binary file skipped; 2 files could not be opened.]',
  )
  await put('temp/small', 'thread')
  expect(await run('grep_files', { pattern: 'needle' })).toMatch(/^\[No match; 1 file over 100 bytes not searched /)
})

test('documents whose text it does not see are named, with the tool that sees it', async () => {
  const { run, put } = await bench()
  await put('uploads/plan.docx', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))
  await put('uploads/scan.pdf', '%PDF-1.7\nneedle')
  await put('uploads/photo.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]))
  await put('temp/a.csv', 'needle,1')
  expect(await run('grep_files', { pattern: 'thread' })).toBe(
    '[No match; the text of 2 documents was not searched (uploads/plan.docx, uploads/scan.pdf): use search_file; 1 binary file skipped.]',
  )
  expect(await run('grep_files', { pattern: 'needle' })).toMatch(/^temp\/a.csv\n1: needle,1\n\n\[1 match in 1 file; /)
})

test('there is a cap on matches and on bytes', async () => {
  const { run, put } = await bench({ listEntries: 5, outputBytes: 3000, lineCharacters: 800 })
  await put('temp/a', 'needle\n'.repeat(9))
  const few = await run('grep_files', { pattern: 'needle' })
  expect(few).toContain('5: needle\n\n[5 matches in 1 file; there may be more')
  await put('temp/a', `${'x'.repeat(700)}needle\n`)
  for (const name of ['b', 'c', 'd']) await put(`temp/${name}`, `${'x'.repeat(700)}needle\n`)
  const long = await run('grep_files', { pattern: 'needle' })
  expect(Buffer.byteLength(long)).toBeLessThan(3000)
  expect(long).toContain('[2 matches in 2 files; there may be more')
})

test('of a long line the part around the match is shown', async () => {
  const { run, put } = await bench({ lineCharacters: 100 })
  await put('temp/a', `${'x'.repeat(5000)}needle${'y'.repeat(5000)}`)
  expect(await run('grep_files', { pattern: 'needle' })).toContain(`1: …${'x'.repeat(60)}needle${'y'.repeat(34)}…\n`)
})

test.each(['(', '(?=a', '(?<=a)(', 'a{2000}', '(a{1,30}){30}', 'x'.repeat(1001)])(
  'a bad pattern is said: %s',
  async (pattern) => {
    const { run, put } = await bench()
    await put('temp/a', 'x')
    await expect(run('grep_files', { pattern })).rejects.toMatchObject({ code: 'bad_pattern' })
  },
)

test.each(['(a+)+$', '(a|aa)+$', '(.*a){20}$', '(a{1,30}){15}$'])(
  '%s on long lines ends, and lets others in',
  async (pattern) => {
    const { run, put } = await bench()
    // Lines that match: telling where costs more than telling whether.
    await put('temp/a', `${'a'.repeat(90_000)}\n`.repeat(10))
    // A pattern that backtracks would not end within the life of this test.
    expect(await turnsDuring(() => run('grep_files', { pattern }))).toBeGreaterThan(5)
  },
)

test('a search through many lines lets others run', async () => {
  const { run, put } = await bench()
  await put('temp/a', 'nothing to see in this line, x = 1\n'.repeat(280_000))
  expect(await turnsDuring(() => run('grep_files', { pattern: '(?i)[a-z]+ to [a-z]+ y' }))).toBeGreaterThan(20)
})
