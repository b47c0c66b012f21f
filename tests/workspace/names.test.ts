import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeName, nameKey, safeName } from '../../src/workspace/names.ts'
import { pathNames } from '../../src/workspace/paths.ts'

test.each([
  ['report.csv', 'report.csv'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\plan.docx', 'plan.docx'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['Com1 .txt', '_Com1 .txt'],
  ['LPT9', '_LPT9'],
  ['console.txt', 'console.txt'],
  ['a\u3164\u2800b.txt', 'a b.txt'],
  ['\u3164\u2800', 'file'],
  ['two\nlines.txt', 'two lines.txt'],
  ['bell\u0007\u0000.txt', 'bell.txt'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['', 'file'],
  ['...', 'file'],
  ['.bashrc', 'bashrc'],
  ['-rf', 'rf'],
  ['name. . ', 'name'],
  ['a/', 'a'],
  ['what?.md', 'what_.md'],
  ['a\u0308.txt', 'ä.txt'],
  ['\uD800.txt', '\uFFFD.txt'],
  ['Übersicht 2026 (final).xlsx', 'Übersicht 2026 (final).xlsx'],
])('%j becomes %j', (name, safe) => {
  expect(safeName(name)).toBe(safe)
})

test('a long name is cut on a character and keeps its extension', () => {
  const safe = safeName(`${'ü'.repeat(300)}.tar.gz`)
  expect(safe).toBe(`${'ü'.repeat(96)}.tar.gz`)
  expect(Buffer.byteLength(safe)).toBe(199)
  expect(Buffer.byteLength(safeName('x'.repeat(300)))).toBe(200)
  expect(Buffer.byteLength(safeName(`x.${'y'.repeat(300)}`))).toBe(200)
})

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(
      '.',
      '/',
      '\\',
      ' ',
      '-',
      '~',
      'a',
      'C',
      'O',
      'N',
      '\n',
      '\0',
      '\u202E',
      '\uD800',
      '😀',
      '\u0301',
      'com1',
      '.txt',
    ),
    maxLength: 120,
  }),
)

test('a safe name is always one plain, visible, writable name, and stays as it is', () => {
  fc.assert(
    fc.property(nasty, (name) => {
      const safe = safeName(name)
      expect(pathNames(safe)).toEqual([safe])
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200)
      expect(safe).toBe(safe.normalize('NFC'))
      expect(safe).not.toMatch(/^[.\s~-]|[.\s]$|[\p{Cc}\p{Cf}\p{Cs}/\\]/u)
      expect(safe).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
      expect(safeName(safe)).toBe(safe)
    }),
    { numRuns: 2000 },
  )
})

test('a taken name gets a number', () => {
  const taken = new Set(['report.csv', 'report-2.csv', 'a.tar.gz', 'none'])
  expect(freeName('report.csv', (name) => taken.has(name))).toBe('report-3.csv')
  expect(freeName('a.tar.gz', (name) => taken.has(name))).toBe('a-2.tar.gz')
  expect(freeName('none', (name) => taken.has(name))).toBe('none-2')
  expect(freeName('free', () => false)).toBe('free')
  const long = `${'x'.repeat(196)}.csv`
  expect(freeName(long, (name) => name === long)).toBe(`${'x'.repeat(194)}-2.csv`)
})

test('names that a file system treats as the same have the same key', () => {
  expect(nameKey('Report.CSV')).toBe(nameKey('report.csv'))
  expect(nameKey('u\u0308ber.txt')).toBe(nameKey('\u00dcBER.txt'))
  expect(nameKey('stra\u00dfe')).toBe(nameKey('STRASSE'))
  expect(nameKey('a.csv')).not.toBe(nameKey('b.csv'))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(nameKey(name.normalize('NFD'))).toBe(nameKey(name.normalize('NFC')))
    }),
  )
})

test('a free name is found quickly among thousands of the same name', () => {
  const tried: string[] = []
  const name = freeName('a.csv', (one) => tried.push(one) < 5000 && Number(/\d+/.exec(one)?.[0] ?? 1) < 10_000)
  expect(name).toBe('a-12800.csv')
  expect(tried.length).toBeLessThan(120)
})

test('an extremely long name does not take long', () => {
  expect(safeName(`${'. '.repeat(500_000)}x${'.'.repeat(500_000)}y.csv`)).toMatch(/y\.csv$/)
})
