import { describe, expect, test } from 'vitest'
import { searchFile } from '../../src/capabilities/documents/search-file.ts'
import type { DocumentMatch, DocumentQuery, DocumentSearch, Documents } from '../../src/kit/documents/document.ts'
import { bench } from './support.ts'

const found = (
  answer: Partial<DocumentSearch>,
  asked: { paths: string[]; query: DocumentQuery }[] = [],
): Documents => ({
  open: async () => {
    throw new Error('nothing is opened by a search')
  },
  search: async (paths, query) => {
    asked.push({ paths, query })
    return { matches: [], forgiven: [], failures: [], cut: [], ...answer }
  },
  prepare: async () => {},
})

test('its title names what is looked for, however it was given', () => {
  const title = (input: object) => searchFile.doing?.(searchFile.input.parse(input))
  expect(title({ query: 'zebra' })).toBe('Searching the files for “zebra”')
  expect(title({ queries: ['zebra', 'quagga'], path: 'uploads/a.pdf' })).toBe('Searching uploads/a.pdf for “zebra”')
})

test('the answer says which documents are still being read, and how far', async () => {
  const reading: DocumentSearch['reading'] = [
    { path: 'uploads/a.pdf', unit: 'page', done: 100, expected: 352 },
    { path: 'uploads/b.xlsx', unit: 'sheet', done: 1 },
    { path: 'uploads/c.pdf', unit: 'page', done: 0 },
  ]
  const { put, run } = await bench({}, { documents: found({ reading }) })
  await put('uploads/a.pdf', '%PDF-1.7')
  const result = await run('search_file', { query: 'zebra' })
  expect(result).toContain('uploads/a.pdf is still being read: 100 of 352 pages were searched.')
  expect(result).toContain('uploads/b.xlsx is still being read: only its beginning was searched.')
  expect(result).toContain('uploads/c.pdf is still being read and wasn’t searched. Search again in a few seconds')
})

test('a table of text that is still being read is searched without the index, unless its beginning has it', async () => {
  const asked: { paths: string[]; query: DocumentQuery }[] = []
  const reading: DocumentSearch['reading'] = [
    { path: 'uploads/a.csv', unit: 'sheet', done: 1 },
    { path: 'uploads/c.pdf', unit: 'page', done: 100, expected: 352 },
  ]
  const { put, run } = await bench({}, { documents: found({ reading }, asked) })
  await put('uploads/a.csv', 'name,age\nA zebra,12\n')
  await put('uploads/c.pdf', '%PDF-1.7')
  const result = await run('search_file', { query: 'zebra' })
  expect(result).toContain('1. uploads/a.csv, line 2')
  expect(result).not.toContain('a.csv is still')
  expect(result).toContain('100 of 352 pages')
  expect([...(asked[0]?.query.notAwaited ?? [])]).toEqual(['uploads/a.csv'])
  const matches: DocumentMatch[] = [
    { path: 'uploads/a.csv', kind: 'csv', unit: 'sheet', number: 1, cells: 'A1', passage: '**zebra**', score: 1 },
  ]
  const again = await bench({}, { documents: found({ reading, matches }) })
  await again.put('uploads/a.csv', 'name,age\nA zebra,12\n')
  const beginning = await again.run('search_file', { query: 'zebra' })
  expect(beginning).toContain('a.csv is still being read: only its beginning was searched.')
  expect(beginning).not.toContain('line 2')
})

describe('search_file on plain text', () => {
  test('shows the line with one line before and after it, and the match in bold', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', 'one\ntwo\nThe Budget is 5.\nfour\nfive\n')
    expect(await run('search_file', { query: 'budget', path: 'uploads/a.txt' })).toBe(
      '1. uploads/a.txt, line 3 (score 1.00)\n> two\n> The **Budget** is 5.\n> four\n\n[1 passage of 1 file.]',
    )
  })

  test('what has more of the words comes first, wherever it is', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', 'the notice\nnothing\n\nnotice period: 30 days\n')
    await put('uploads/b.log', 'a period\n')
    const result = await run('search_file', { query: 'the notice period' })
    expect(result.indexOf('line 4')).toBeLessThan(result.indexOf('line 1 '))
    expect(result).toContain('**notice period**: 30 days')
    expect(result).toContain('[3 passages of 2 files.]')
  })

  test('numbers, addresses and phrases are found as they are', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', 'see 4.1 there\nwrite to ana@example.com\npart AB-1234/7\nnot 41, not 4x1\n')
    expect(await run('search_file', { query: '4.1' })).toContain('[1 passage of 1 file.]')
    expect(await run('search_file', { query: 'ana@example.com' })).toContain('**ana@example.com**')
    expect(await run('search_file', { query: '"part AB-1234/7"' })).toContain('**part AB-1234/7**')
  })

  test('several wordings are searched at once, with or without a query', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', 'Dogs are admitted.\nnothing\nnothing\nTiere sind verboten.\n')
    const result = await run('search_file', { query: 'pets', queries: ['tiere', 'dogs admitted'] })
    expect(result).toContain('**Dogs** are **admitted**')
    expect(result).toContain('**Tiere** sind')
    expect(await run('search_file', { queries: ['cats', 'tiere'] })).toContain('**Tiere**')
    expect(await run('search_file', { queries: ['cats', 'birds'] })).toContain('Nothing found for "cats", "birds" in 1')
    expect(await run('search_file', { queries: ['^dogs', 'ver.oten'], use_regex: true })).toContain('[2 passages of')
    await expect(run('search_file', { path: 'uploads' })).rejects.toThrow('There is nothing to search for.')
  })

  test('a query is a regular expression if that is asked for', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', 'ERROR 12\nwarning 3\nerror 500\n')
    const result = await run('search_file', { query: 'error \\d{3}', use_regex: true })
    expect(result).toContain('**error 500**')
    expect(result).toContain('[1 passage of 1 file.]')
    await expect(run('search_file', { query: '(', use_regex: true })).rejects.toThrow('The pattern cannot be used')
  })

  test('no more results and characters than asked for', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', `${'x'.repeat(3000)} needle ${'y'.repeat(3000)}\n`.repeat(30))
    const result = await run('search_file', { query: 'needle', max_results: 3, context_chars: 50 })
    expect(result).toContain('3 passages')
    expect(result.length).toBeLessThan(2000)
  })

  test('as many characters around a match as are asked for, over several lines if need be', async () => {
    const { put, run } = await bench()
    const line = (name: string) => name.repeat(30)
    await put(
      'uploads/a.txt',
      [line('a'), line('b'), `${line('c')} needle ${line('d')}`, line('e'), line('f')].join('\n'),
    )
    const around = async (context_chars: number) => {
      const result = await run('search_file', { query: 'needle', context_chars })
      return result
        .split('\n\n')[0]
        ?.split('\n')
        .slice(1)
        .map((shown) => shown.slice(2))
    }
    expect(await around(0)).toEqual(['…**needle**…'])
    expect(await around(20)).toEqual([`…${'c'.repeat(9)} **needle** ${'d'.repeat(9)}…`])
    expect(await around(84)).toEqual([
      `…${'b'.repeat(10)}`,
      `${line('c')} **needle** ${line('d')}`,
      `${'e'.repeat(10)}…`,
    ])
    expect(await around(4000)).toHaveLength(5)
  })

  test('words are found far into a long line, and a line that isn’t searched to its end is counted', async () => {
    const { put, run } = await bench()
    const long = (bytes: number) => `${'"some": "text", '.repeat(bytes / 16)}"needle"\n`
    await put('uploads/a.json', long(50_000))
    expect(await run('search_file', { query: 'needle' })).toMatch(/"\*\*needle\*\*"…?\n\n\[1 passage of 1 file\.\]$/)
    expect(await run('search_file', { query: 'needle', use_regex: true })).toContain(
      '1 file. 1 long line searched in the first 16,384 bytes only.]',
    )
    expect(await run('search_file', { query: 'needle(?=")', use_regex: true })).toContain('first 16,384 bytes only.]')
    await put('uploads/a.json', long(1_100_000))
    await put('uploads/b.json', `${long(1_100_000)}needle\n`)
    expect(await run('search_file', { query: 'needle' })).toContain(
      '[1 passage of 2 files. 2 long lines searched in the first 1,000,000 bytes only.]',
    )
  })

  test('a letter whose small form is longer doesn’t hide the rest of its line', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', 'İstanbul Office: The Budget\n')
    for (const query of ['budget', 'BUDGET']) {
      const shown = await run('search_file', { query })
      expect(shown).toContain('> İstanbul Office: The **Budget**')
    }
    for (const query of ['istanbul', 'İSTANBUL']) {
      expect(await run('search_file', { query })).toContain('> **İstanbul** Office')
    }
  })

  test('accents and their forms make no difference, as in documents', async () => {
    const { put, run } = await bench()
    await put(
      'uploads/a.txt',
      `${'Müller'.normalize('NFD')} wohnt in der Hauptstraße\nΣΊΣΥΦΟΣ\nhangul: ${'한국어'.normalize('NFD')} é.\n`,
    )
    for (const query of ['Müller', 'muller', 'MÜLLER'.normalize('NFD')])
      expect((await run('search_file', { query })).normalize('NFC')).toContain('> **Müller** wohnt')
    expect(await run('search_file', { query: 'hauptstrasse' })).toContain('in der **Hauptstraße**')
    expect(await run('search_file', { query: 'σίσυφος' })).toContain('**ΣΊΣΥΦΟΣ**')
    expect((await run('search_file', { query: '한국어' })).normalize('NFC')).toContain('hangul: **한국어** é.')
  })

  test('an expression finds accents however they are written', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', `${'Das Café am Müllerweg'.normalize('NFD')} ist zu, das Café nicht.\n`)
    for (const query of ['caf\u00e9', 'cafe\u0301', 'caf\u00e9(?= )'])
      expect((await run('search_file', { query, use_regex: true })).normalize('NFC')).toContain(
        '> Das **Café** am Müllerweg ist zu, das **Café** nicht.',
      )
  })

  test('an expression about marks is told whether a letter is written with one', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', `${'Das Café'.normalize('NFD')} ist zu.\nDas Café nicht.\n`)
    for (const query of ['\\p{M}', 'e\\x{301}', 'e\\u0301(?= )']) {
      const found = await run('search_file', { query, use_regex: true })
      expect(found).toContain('ist zu')
      expect(found).toContain('[1 passage of 1 file.]')
      expect(await run('grep_files', { pattern: query })).toContain('[1 match in 1 file.]')
    }
  })

  test('a phrase is found over wide spaces and over the end of a line', async () => {
    const { put, run } = await bench()
    await put(
      'uploads/a.txt',
      'The\tnotice   period is long: ´ 30 days\nEither side may end\n    this agreement.\nthis agreement\n',
    )
    expect(await run('search_file', { query: '"notice period"' })).toContain('The\t**notice   period** is')
    expect(await run('search_file', { query: '"long: 30 days"' })).toContain('**long: ´ 30 days**')
    const over = await run('search_file', { query: '"may end this agreement"' })
    expect(over).toContain('line 3 (score 0.90)\n> Either side may end\n>     **this agreement**.')
    expect(over).toContain('[1 passage of 1 file.]')
    expect(await run('search_file', { query: '"end this agreement forever"' })).toContain('Nothing found')
  })

  test('Chinese words are found within a line', async () => {
    const { put, run } = await bench()
    await put('uploads/a.txt', '合同的终止通知期为三十天。\n')
    expect(await run('search_file', { query: '通知期' })).toContain('**通知期**')
  })

  test.each([
    ['季度销售报告', '第三季度的销售报告已经完成。', '第三**季度**的**销售报告**'],
    ['项目截止日期', '这个项目的截止日期是周五。', '这个**项目**的**截止日期**是'],
    ['售后服务电话', '售后服务的电话：400-123', '售后**服务**的**电话**：'],
    ['会議の議事録', '会議は月曜です。議事録は…', '**会議**は月曜です。**議事**録'],
    ['프로젝트가', '프로젝트는 금요일에 끝난다.', '**프로젝트**는'],
    ['invoices', 'The invoice is due.', 'The **invoice** is'],
    ['Meetings booked', 'We book a meeting.', 'We **book** a **meeting**'],
  ])('%s is found where its words stand in another form: %s', async (query, text, shown) => {
    const { put, run } = await bench()
    await put('uploads/a.md', `${text}\n`)
    expect(await run('search_file', { query })).toContain(shown)
    expect(await run('search_file', { query: `"${query}"` })).toContain('Nothing found')
  })

  test('a word in another form counts less than the word itself, and only whole words are forms of it', async () => {
    const { put, run } = await bench()
    const lines = ['The president met officer Ann.', 'All companies, no special offer.', 'This is not the end.']
    await put('uploads/a.md', `${[...lines, 'Ask the officer for the press.', 'An invoice is due.'].join('\n')}\n`)
    const first = await run('search_file', { query: 'press officer', max_results: 1, context_chars: 60 })
    expect(first).toContain('the **officer** for the **press**')
    expect(await run('search_file', { query: 'company' })).toContain('All **companies**, no')
    for (const query of ['exceed', 'species', 'status', 'notes', 'thing']) {
      expect(await run('search_file', { query })).toContain('Nothing found')
    }
    const other = await run('search_file', { query: 'invoices' })
    expect(other).toContain('(score 0.72)')
    expect(other).toContain('An **invoice** is due')
  })

  test('binary files are counted, and an empty result says so', async () => {
    const { put, run } = await bench()
    await put('uploads/a.bin', Buffer.from([0, 1, 2, 3, 255, 254]))
    await put('uploads/a.txt', 'text\n')
    expect(await run('search_file', { query: 'needle' })).toBe(
      '[Nothing found for "needle" in 1 file. 1 binary or closed files were skipped.]',
    )
    await expect(run('search_file', { query: 'x', path: 'uploads/none.txt' })).rejects.toThrow('does not exist')
    await expect(run('search_file', { query: 'x', path: 'uploads/a\n[b]' })).rejects.toThrow(
      '"uploads/a\\n[b]" does not exist.',
    )
    await expect(run('search_file', { query: 'x', path: '../..' })).rejects.toThrow()
  })
})

describe('search_file on documents', () => {
  const match: DocumentMatch = {
    path: 'uploads/b.xlsx',
    kind: 'xlsx',
    unit: 'sheet',
    number: 2,
    name: 'Costs',
    cells: 'C14',
    passage: '| 14 | x | **needle** |',
    score: 0.5,
  }

  test('searches existing documents through the index, and mixes them with text by score', async () => {
    const asked: { paths: string[]; query: DocumentQuery }[] = []
    const { put, run } = await bench(
      {},
      { documents: found({ matches: [{ ...match, isHidden: true }], forgiven: ['needle'] }, asked) },
    )
    await put('uploads/a.pdf', '%PDF-1.7')
    await put('uploads/b.xlsx', Buffer.from('PK\x03\x04\0\0\0\0', 'latin1'))
    await put('uploads/c.txt', 'a needle\n')
    const result = await run('search_file', { query: 'needel', max_results: 4, context_chars: 100 })
    expect(asked).toMatchObject([
      {
        paths: ['uploads/a.pdf', 'uploads/b.xlsx'],
        query: {
          query: 'needel',
          others: [],
          isPattern: false,
          maxResults: 4,
          contextCharacters: 100,
          mostCharacters: 25_600,
        },
      },
    ])
    expect(result).toContain(
      '1. uploads/b.xlsx, sheet 2 "Costs" (hidden), cell C14 (score 0.15)\n> | 14 | x | **needle** |',
    )
    expect(result).toContain('No exact match; searched instead for: "needle".')
  })

  test('a similar word in a document ranks below an exact one in a text', async () => {
    const { put, run } = await bench(
      {},
      { documents: found({ matches: [{ ...match, score: 1 }], forgiven: ['needle'] }) },
    )
    await put('uploads/b.xlsx', Buffer.from('PK\x03\x04\0\0\0\0', 'latin1'))
    await put('uploads/c.txt', 'the contact\n')
    const result = await run('search_file', { query: 'contact person' })
    expect(result.indexOf('**contact**')).toBeLessThan(result.indexOf('uploads/b.xlsx'))
  })

  test('what is too large for the index is searched directly, or named', async () => {
    const { put, run } = await bench({}, { documents: found({ cut: ['uploads/a.csv', 'uploads/b.pdf'] }) })
    await put('uploads/a.csv', 'name,amount\nneedle,3\n')
    await put('uploads/b.pdf', Buffer.from('%PDF-1.7\n\0\x01\x02\xff', 'latin1'))
    const result = await run('search_file', { query: 'needle' })
    expect(result).toContain('uploads/a.csv, line 2')
    expect(result).toContain('Not all of uploads/b.pdf could be searched')
  })

  test("files that can't be searched are named, and the rest is searched", async () => {
    const failures = Array.from({ length: 7 }, (_, index) => ({
      path: `uploads/${index}.pdf`,
      reason: 'It is protected by a password.',
    }))
    const { put, run } = await bench({}, { documents: found({ failures }) })
    await put('uploads/0.pdf', '%PDF-1.7')
    await put('uploads/c.txt', 'a needle\n')
    const result = await run('search_file', { query: 'needle' })
    expect(result).toContain('**needle**')
    expect(result).toContain('uploads/0.pdf could not be searched: It is protected by a password.')
    expect(result).toContain('2 more could not be searched.')
  })
})
