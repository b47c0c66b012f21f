import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Tesseract } from '../../../src/kit/documents/pictures/tesseract.ts'
import { textOfTable } from '../../../src/kit/documents/pictures/words.ts'
import { openContainment } from '../../../src/kit/sandbox/contained.ts'
import { withoutSandbox } from '../../support/sandbox.ts'
import { photographed } from './scans.ts'
import { aWord, standIn } from './stand-in.ts'

const { signal } = new AbortController()
const containment = openContainment()

const tesseract = async (does: string, timeoutMs = 60_000) =>
  new Tesseract({ containment, program: await standIn(does), languages: [], timeoutMs, memoryBytes: 1024 ** 3 })

test('a program that hangs is ended after its time', async () => {
  const reading = (await tesseract('sleep 600;', 500)).read(photographed('a'), signal)
  await expect(reading).rejects.toMatchObject({ code: 'too_complex', message: expect.stringContaining('0.5 s') })
})

test('a program that is no longer wanted is ended', async () => {
  const ending = new AbortController()
  const reading = (await tesseract('sleep 600;')).read(photographed('a'), ending.signal)
  ending.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})

test('endless output ends the program', async () => {
  const reading = (await tesseract('print "x" x 100_000 while 1;')).read(photographed('a'), signal)
  await expect(reading).rejects.toMatchObject({ code: 'too_complex', message: expect.stringContaining('too much') })
})

test.skipIf(withoutSandbox)(
  'a program that fails says why, and can neither write files nor start programs',
  async () => {
    const failing = (await tesseract('print STDERR "no such language\\n"; exit 1;')).read(photographed('a'), signal)
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining('no such language') })
    const wicked = 'open(my $f, ">", "/tmp/bobbin-wrote") && print $f "x"; my $out = `echo started`;'
    const read = await (await tesseract(`${wicked} ${aWord('done-$out-')}`)).read(photographed('a'), signal)
    expect(read).toBe('done--1240')
  },
)

test('it is told how many dots there are to an inch, since its guess tears similar lines into columns', async () => {
  const says = 'print join("\\t", 5, 1, 1, 1, 1, 1, 0, 0, 9, 9, 96, join("+", @ARGV)), "\\n";'
  expect(await (await tesseract(says)).read(photographed('a'), signal)).toContain('+--dpi+300+tsv')
})

test('a language that isn’t installed is left out; with none, there is no OCR', async () => {
  const options = { containment, program: await standIn(), timeoutMs: 60_000, memoryBytes: 1024 ** 3 }
  expect(await new Tesseract({ ...options, languages: ['deu', 'eng'] }).found()).toMatchObject({ languages: ['eng'] })
  expect(await new Tesseract({ ...options, languages: ['deu'] }).found()).toBeUndefined()
  expect(await new Tesseract({ ...options, program: 'no-such-program', languages: [] }).found()).toBeUndefined()
})

test('one that is installed later is found without a restart', async () => {
  const real = await standIn()
  const program = `${real}-later`
  const later = new Tesseract({ containment, program, languages: [], timeoutMs: 60_000, memoryBytes: 1024 ** 3 })
  expect(await later.found()).toBeUndefined()
  await copyFile(real, program)
  expect(await later.found()).toMatchObject({ languages: ['eng'] })
})

test('one that fails to say its languages is asked again, but not at once', async () => {
  const program = `${await standIn()}-failing`
  await writeFile(program, '#!/bin/sh\necho >> "$0.asked"\nexit 1\n', { mode: 0o755 })
  let now = 0
  const options = { containment, program, languages: [], timeoutMs: 60_000, memoryBytes: 1024 ** 3, now: () => now }
  const failing = new Tesseract(options)
  for (const at of [0, 1, 59_999]) {
    now = at
    expect(await failing.found()).toBeUndefined()
  }
  expect(await readFile(`${program}.asked`, 'utf8')).toBe('\n')
  await copyFile(program.replace('-failing', ''), program)
  now = 60_000
  expect(await failing.found()).toMatchObject({ languages: ['eng'] })
})

const row = (block: number, line: number, confidence: number, text: string) =>
  [5, 1, block, 1, line, 1, 0, 0, 9, 9, confidence, text].join('\t')

test('lines that Tesseract tears into columns are whole again; columns that are further apart stay', () => {
  const placed = (block: number, line: number, left: number, text: string) =>
    [5, 1, block, 1, line, 1, left, 40 * line, 100, 20, 95, text].join('\t')
  const page = (second: number) =>
    [
      ...[1, 2, 3].map((line) => placed(line === 3 ? 2 : 1, line, 0, `Section ${line}.`)),
      ...[1, 2, 3].map((line) => placed(3, line, second, `Point ${line}`)),
    ].join('\n')
  expect(textOfTable(page(110))).toBe('Section 1. Point 1\nSection 2. Point 2\nSection 3. Point 3')
  expect(textOfTable(page(130))).toBe('Section 1.\nSection 2.\n\nSection 3.\n\nPoint 1\nPoint 2\nPoint 3')
})

test('a line from right to left that was torn is whole again, its right part first', () => {
  const placed = (block: number, left: number, text: string) =>
    [5, 1, block, 1, 1, 1, left, 100, 60, 20, 95, text].join('\t')
  expect(textOfTable([placed(1, 200, 'שלום'), placed(2, 130, 'עולם'), placed(3, 60, 'PDF')].join('\n'))).toBe(
    'שלום עולם PDF',
  )
})

test('words become lines and paragraphs; what it is unsure of is left out', () => {
  const table = [
    'level\tpage_num\tblock_num',
    row(1, 1, 96, 'Total'),
    row(1, 1, 91, '12.50'),
    row(1, 1, 3, '|~'),
    row(1, 2, 95, 'EUR'),
    row(2, 1, 90, 'Thanks'),
    'garbage\t\u0000',
  ]
  expect(textOfTable(table.join('\n'))).toBe('Total 12.50\nEUR\n\nThanks')
})

test('what is unsure altogether is no text', () => {
  expect(textOfTable([row(1, 1, 30, 'a}'), row(1, 2, 40, '~~')].join('\n'))).toBe('')
})
