import { describe, expect, test } from 'vitest'
import type { DocumentKind, DocumentPart, Documents } from '../../src/kit/documents/document.ts'
import { linesOf } from '../support/document-text.ts'
import { bench } from './support.ts'

/** A document as the library hands it out. */
const holding = (kind: DocumentKind, parts: DocumentPart[], notes: string[] = []): Documents => ({
  open: async () => ({
    kind,
    notes,
    parts: parts.map(({ text, formulas = '', ...part }) => ({
      ...part,
      characters: text.length,
      hasFormulas: formulas !== '',
    })),
    lines: (index) => linesOf(parts[index]?.text),
    formulas: (index) => parts[index]?.formulas ?? '',
  }),
  search: async () => ({ matches: [], forgiven: [], failures: [], cut: [] }),
  prepare: async () => {},
})

const pages = (count: number, text = (number: number) => `Text of page ${number}.`): DocumentPart[] =>
  Array.from({ length: count }, (_, index) => ({ unit: 'page', number: index + 1, text: text(index + 1) }))

async function reading(documents: Documents) {
  const made = await bench({}, { documents })
  await made.put('uploads/file.pdf', '%PDF-1.7')
  return (input: object = {}) => made.run('read_file', { path: 'uploads/file.pdf', ...input })
}

describe('read_file on a document', () => {
  test('a short PDF comes whole, with its pages and what is known about it', async () => {
    const read = await reading(holding('pdf', pages(2), ['It has no outline.']))
    expect(await read()).toBe(
      '--- Page 1 of 2 ---\nText of page 1.\n\n--- Page 2 of 2 ---\nText of page 2.\n\n' +
        '[uploads/file.pdf is a PDF document of 2 pages. This is all of it. It has no outline.]',
    )
  })

  test('of an image, what it is comes, and how it can be seen', async () => {
    const picture: DocumentPart = { unit: 'section', number: 1, text: 'PNG image, 800 × 600 pixels.' }
    const { run, put } = await bench(
      {},
      { documents: holding('image', [picture], ['What it shows is not read here.']) },
    )
    await put('outputs/chart.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]))
    expect(await run('read_file', { path: 'outputs/chart.png' })).toBe(
      'PNG image, 800 × 600 pixels.\n\n[outputs/chart.png is an image. This is all of it. What it shows is not read here. ' +
        'To see it, ask a person to name it in a message, such as "#chart.png".]',
    )
  })

  test('of a long PDF ten pages come, and reading goes on to its end', async () => {
    const read = await reading(holding('pdf', pages(24)))
    const first = await read()
    expect(first).toContain('Text of page 10.')
    expect(first).not.toContain('Text of page 11.')
    expect(first).toContain('Pages 1 to 10 are shown; there is more: read on with part "11-".')
    const last = await read({ part: '21-' })
    expect(last).toContain('Pages 21 to 24 are shown; that is the end.')
  })

  test('of a PDF that is still being read, what is there comes, and that is said', async () => {
    const documents: Documents = {
      ...holding('pdf', pages(50)),
      open: async (path, options) => {
        const document = await holding('pdf', pages(50)).open(path, options)
        const begun = { ...document, reading: { expected: 352 } }
        return options.enough?.(begun) ? begun : document
      },
    }
    const read = await reading(documents)
    const first = await read()
    expect(first).toContain('--- Page 1 of 352 ---\nText of page 1.')
    expect(first).toContain(
      'is a PDF document of 352 pages. Pages 1 to 10 are shown; there is more: read on with part "11-".',
    )
    expect(first).toContain('It is still being read: so far, 50 pages can be shown.')
    expect(await read({ part: '31' })).toContain('still being read')
    // What isn't there yet is waited for.
    expect(await read({ part: '45-' })).not.toContain('still being read')
  })

  test('pages, ranges and sheets are read by number and name; what is not there is said with what is', async () => {
    const read = await reading(holding('pdf', pages(24)))
    expect(await read({ part: '7' })).toContain('--- Page 7 of 24 ---\nText of page 7.\n\n[')
    expect(await read({ part: '7-8' })).toContain('Pages 7 to 8 are shown.')
    await expect(read({ part: '99' })).rejects.toThrow('has no page "99": it has 24 pages')
    const sheets: DocumentPart[] = [
      { unit: 'sheet', number: 1, name: 'Costs', text: '| | A |\n|---|---|\n| 1 | 5 |', formulas: 'A1: =2+3' },
      { unit: 'sheet', number: 2, name: '2026', text: '| | A |\n|---|---|\n| 1 | 7 |' },
    ]
    const readSheet = await reading(holding('xlsx', sheets))
    expect(await readSheet({ part: '2026' })).toContain('--- Sheet 2 of 2 "2026" ---')
    expect(await readSheet({ part: '1' })).not.toContain('=2+3')
    expect(await readSheet({ part: '1', formulas: true })).toContain('Formulas:\nA1: =2+3')
    const long = Array.from({ length: 50 }, (_, index) => `| ${index + 1} | x |`)
    const readLong = await reading(
      holding('xlsx', [
        {
          unit: 'sheet',
          number: 1,
          text: ['| | A |', '|---|---|', ...long].join('\n'),
          formulas: long.map((_, index) => `A${index + 1}: =B${index + 1}`).join('\n'),
        },
      ]),
    )
    const shown = await readLong({ formulas: true, offset: 10, limit: 3 })
    expect(shown).toContain('Formulas:\nA8: =B8\nA9: =B9\nA10: =B10\n\n[')
    await expect(readSheet({ part: 'Kosten' })).rejects.toThrow('They are named "Costs", "2026"')
  })

  test('a number is that of a page, even if another page has it as its name; other names are found', async () => {
    const labels = ['i', 'ii', '1', '2', '3', 'A-1', '2026']
    const labelled = pages(7).map((page, index) => ({ ...page, name: labels[index] ?? '' }))
    const read = await reading(holding('pdf', labelled))
    expect(await read({ part: '3' })).toContain('--- Page 3 of 7 "1" ---')
    expect(await read({ part: 'ii' })).toContain('--- Page 2 of 7 "ii" ---')
    expect(await read({ part: 'A-1' })).toContain('--- Page 6 of 7 "A-1" ---')
    expect(await read({ part: '2026' })).toContain('--- Page 7 of 7 "2026" ---')
  })

  test('while a PDF is being read, a number that is not there yet is waited for', async () => {
    const named = pages(30).map((page, index) => (index === 0 ? { ...page, name: '30' } : page))
    const documents: Documents = {
      ...holding('pdf', named),
      open: async (path, options) => {
        const begun = { ...(await holding('pdf', named.slice(0, 20)).open(path, options)), reading: { expected: 30 } }
        return options.enough?.(begun) ? begun : holding('pdf', named).open(path, options)
      },
    }
    const read = await reading(documents)
    expect(await read({ part: '30' })).toContain('--- Page 30 of 30 ---')
  })

  test('a part that does not fit is read on line by line, and nothing of it is lost', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `| ${index + 1} | row ${index + 1} |`)
    const read = await reading(holding('xlsx', [{ unit: 'sheet', number: 1, name: 'Long', text: lines.join('\n') }]))
    const seen: string[] = []
    let input: object = {}
    for (let round = 0; round < 20; round++) {
      const page = await read(input)
      expect(page.length).toBeLessThan(21_000)
      seen.push(...page.split('\n').filter((line) => line.startsWith('| ')))
      const [, part, offset] = /read on with part "([^"]+)" and offset (\d+)/.exec(page) ?? []
      if (part === undefined) break
      input = { part, offset: Number(offset) }
    }
    expect(seen).toEqual(lines)
  })

  test('rows further down in a sheet come below its column letters and its first row', async () => {
    const rows = Array.from({ length: 4800 }, (_, index) => `| ${index + 1} | x | ${index} |`)
    const text = [
      '| | A | D |',
      '| --- | --- | --- |',
      '| 1 | Article | Price |',
      ...rows.slice(1),
      '',
      'Comments:',
      '- A1',
    ]
    const read = await reading(holding('csv', [{ unit: 'sheet', number: 1, text: text.join('\n') }]))
    const head = '--- Sheet 1 of 1 ---\n| | A | D |\n'
    expect(await read({ offset: 4802, limit: 1 })).toContain(`${head}| 1 | Article | Price |\n| 4800 | x | 4799 |\n\n[`)
    expect(await read({ offset: 3, limit: 2 })).toContain(`${head}| 1 | Article | Price |\n| 2 | x | 1 |\n\n[`)
    expect(await read({ offset: 4804 })).toContain('--- Sheet 1 of 1 ---\nComments:')
    const wide = ['| | A |', '| --- | --- |', `| 1 | ${'w'.repeat(9000)} |`, '| 2 | x |']
    const readWide = await reading(holding('csv', [{ unit: 'sheet', number: 1, text: wide.join('\n') }]))
    expect(await readWide({ offset: 4 })).toMatch(
      /^--- Sheet 1 of 1 ---\n\| \| A \|\n\| 1 \| w{1994}…\n\| 2 \| x \|\n\n/,
    )
  })

  test('wide characters keep to the bytes of a result', async () => {
    const read = await reading(holding('docx', [{ unit: 'section', number: 1, text: '漢字の文章。\n'.repeat(20_000) }]))
    const page = await read()
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(51_200)
    expect(page).toMatch(/read on with part "1-" and offset \d+/)
  })

  test('the end of what was read is not taken for the end of the document', async () => {
    const note = 'It is too large to read completely: the rest was left out.'
    const read = await reading(holding('pdf', pages(24), [note]))
    const last = await read({ part: '21-' })
    expect(last).toContain(note)
    expect(last).not.toContain('that is the end')
  })

  test('a long outline leaves room for what is missing', async () => {
    const outline = ['Its outline:', ...Array.from({ length: 100 }, (_, index) => `- Chapter ${index + 1} of the book`)]
    const warnings = ['Page 2 has no text: it is probably scanned.', 'The end of it was left out.']
    const read = await reading(holding('pdf', pages(2), [outline.join('\n'), ...warnings]))
    expect(await read()).toContain(`${warnings.toReversed().join(' ')} Its outline:\n- Chapter 1 `)
  })

  test('one endless line is cut, says how to read on, and can be read to its end', async () => {
    const row = `| 1 | ${Array.from({ length: 9_000 }, (_, index) => `ü${index}`).join(' ')} |`
    const first: DocumentPart = { unit: 'sheet', number: 1, text: '| | A |' }
    const read = await reading(
      holding('xlsx', [first, { unit: 'sheet', number: 2, text: `${row}\n--- Sheet 3 of 3 ---` }]),
    )
    let page = await read({ part: '2' })
    let text = /^(\| 1 .*)… \[line cut: it has 52,897 characters; read on with part "2-", offset 1, column/m.exec(
      page,
    )?.[1]
    expect(page).toContain('there is more: read on with part "2-" and offset 2.')
    expect(page).toContain('Not all is shown: a line that is cut says how to read on.')
    for (let next = columnIn(page); next !== undefined; next = columnIn(page)) {
      page = await read({ part: '2-', offset: 1, column: next })
      text += /^1\t(.*)$/m.exec(page)?.[1] ?? ''
    }
    expect(text === row).toBe(true)
    expect(page).toMatch(/\[Line 1 of sheet 2 of uploads\/file\.pdf from column \d+ to its end\. The next line/)
    expect(page).toContain('if there is one, has part "2-", offset 2.]')
    await expect(read({ part: '2', offset: 9, column: 2 })).rejects.toThrow(
      'sheet 2 of uploads/file.pdf has only 2 lines',
    )

    function columnIn(shown: string): number | undefined {
      const column = /read on with part "2-", offset 1, column (\d+)/.exec(shown)?.[1]
      return column === undefined ? undefined : Number(column)
    }
  })

  test('of a secret in a long line no part is shown', async () => {
    const documents = holding('docx', [
      { unit: 'section', number: 1, text: 'key-12345 '.repeat(3_000) + 'x'.repeat(90_000) },
    ])
    const { put, run } = await bench({}, { documents, mask: (text) => text.replaceAll('key-12345', '***') })
    await put('uploads/file.pdf', '%PDF-1.7')
    const read = (input: object) => run('read_file', { path: 'uploads/file.pdf', ...input })
    expect(await read({})).toMatch(/^[*x ]+… \[line cut/)
    expect(await read({ column: 6 })).toMatch(/^1\t[*x ]+\n\[Line 1 of section 1 of/)
  })

  test('nor in the title of a column that is cut', async () => {
    const name = `${'x'.repeat(1_990)} key-12345`
    const text = [
      `| | A |`,
      '| --- | --- |',
      `| 1 | ${name} |`,
      ...Array.from({ length: 8 }, (_, at) => `| ${at + 2} | y |`),
    ].join('\n')
    const documents = holding('xlsx', [{ unit: 'sheet', number: 1, name: 'S', text }])
    const { put, run } = await bench({}, { documents, mask: (all) => all.replaceAll('key-12345', '***') })
    await put('uploads/file.pdf', '%PDF-1.7')
    const shown = await run('read_file', { path: 'uploads/file.pdf', offset: 8 })
    expect(shown).toContain('| 1 | xxx')
    expect(shown).not.toContain('key-')
  })

  test('a document is not said to be all there if its last line is cut', async () => {
    const read = await reading(holding('docx', [{ unit: 'section', number: 1, text: 'x'.repeat(500_000) }]))
    expect(await read()).toContain('is a Word document. Not all is shown: a line that is cut says how to read on.]')
  })

  test('a page without text says so', async () => {
    const read = await reading(
      holding(
        'pdf',
        pages(1, () => ''),
      ),
    )
    expect(await read()).toContain('--- Page 1 of 1 ---\n(no text)')
  })

  test('a scanned page that is asked for by its number comes with what is known about scans', async () => {
    const notes = ['Its outline:\n- Cover (page 1)', 'Page 2 has no text: it is probably scanned.']
    const text = (number: number) => (number === 2 ? '' : 'Letters.')
    const read = await reading(holding('pdf', pages(4, text), notes))
    expect(await read({ part: '2' })).toContain(notes[1])
    expect(await read({ part: '2' })).not.toContain('Its outline')
    expect(await read({ part: '3-' })).not.toContain('scanned')
    const stamped: DocumentPart = { unit: 'page', number: 3, text: 'RECEIVED', isPictured: true }
    const shows = 'Page 3 shows a picture beside its text: what is written in it was not read.'
    const readStamped = await reading(holding('pdf', [...pages(2), stamped], [shows]))
    expect(await readStamped({ part: '3' })).toContain(shows)
    expect(await readStamped({ part: '2' })).not.toContain(shows)
  })

  test('a hidden sheet, and what is hidden in one, is said wherever it is shown', async () => {
    const names = [...Array.from({ length: 12 }, (_, index) => `Month ${index + 1}`), 'Salaries']
    const parts = names.map(
      (name, index): DocumentPart => ({
        unit: 'sheet',
        number: index + 1,
        name,
        text: '| | A |\n| --- | --- |\n| 1 | 5 |',
        ...(name === 'Salaries' ? { isHidden: true } : {}),
      }),
    )
    const merged = `Merged cells: ${Array.from({ length: 19 }, (_, index) => `A${index}:B${index}`).join(', ')} and more.`
    const notes = names.map((name) => `Sheet "${name}" has 1 row. Hidden rows: 1. ${merged}`)
    const read = await reading(holding('xlsx', parts, notes))
    const last = await read({ part: '13' })
    expect(last).toContain('--- Sheet 13 of 13 "Salaries" (hidden) ---')
    expect(last).toContain(notes[12])
    expect(last).not.toContain('Sheet "Month')
    expect(await read({ part: '4-' })).toContain(`${notes.slice(3, 6).join(' ')}]`)
    expect(await read()).toContain(`${notes.slice(0, 3).join(' ')} Sheet "Month 4"`)
  })

  test('so is what is hidden in a sheet of a workbook in an archive or a message', async () => {
    const names = ['a.xlsx: Old', 'a.xlsx: New', 'b.zip: c.xlsx: Old', 'RE: In May.msg: d.xlsx: Old']
    const parts = names.map((name, index): DocumentPart => ({ unit: 'sheet', number: index + 1, name, text: '| 5 |' }))
    const notes = [
      'a.xlsx: Sheet "Old"',
      'a.xlsx: Sheet "New"',
      'b.zip: In c.xlsx: Sheet "Old"',
      'RE: In May.msg: In d.xlsx: Sheet "Old"',
    ].map((sheet) => `In ${sheet} has 1 row. Hidden rows: 1.`)
    const read = await reading(holding('archive', parts, notes))
    for (const [index, note] of notes.entries()) {
      const shown = await read({ part: `${index + 1}` })
      expect(notes.filter((one) => shown.includes(one))).toEqual([note])
    }
  })
})

test('a CSV file can be read as it is', async () => {
  const { put, run } = await bench({}, { documents: holding('csv', [{ unit: 'sheet', number: 1, text: '| | A |' }]) })
  await put('uploads/a.csv', 'name,amount\nana,3\n')
  expect(await run('read_file', { path: 'uploads/a.csv' })).toContain('| | A |')
  expect(await run('read_file', { path: 'uploads/a.csv', raw: true })).toContain('1\tname,amount')
})

test.each([
  ['windows-1252', Buffer.from('Grüße aus Köln, schöne Straße\n', 'latin1'), 'Grüße aus Köln'],
  ['utf-16le', Buffer.from('\uFEFFzwölf Bäume\n', 'utf16le'), 'zwölf Bäume'],
  ['utf-16be', Buffer.from('zwölf Bäume\n', 'utf16le').swap16(), 'zwölf Bäume'],
  ['utf-16le', Buffer.from('Имя\tГород\r\nАнна\tНижний Новгород\r\n', 'utf16le'), 'Нижний Новгород'],
  ['utf-16be', Buffer.from('契約の内容を確かめる。\r\n通知期間は三か月です。\r\n', 'utf16le').swap16(), '通知期間'],
  ['gb18030', Buffer.from('bacfcdacb5c4cda8d6aac6daceaac8fdcaaecceca1a3', 'hex'), '合同的通知期'],
  ['shift_jis', Buffer.from('8c5f96f182cc93e08e6593da97e982c58e9282cc82a9', 'hex'), '契約の内'],
  ['euc-kr', Buffer.from('8c63b9e6b0a2c7cfbfcd20c6e9bdc3c4ddb6f30a94eec0ccb6f3b4c220b1dbc0da', 'hex'), '뷁이라는'],
])('text in %s is read and found', async (encoding, bytes, words) => {
  const { put, run } = await bench()
  await put('uploads/a.txt', bytes)
  const page = await run('read_file', { path: 'uploads/a.txt' })
  expect(page).toContain(words)
  expect(page).toContain(`Read as ${encoding}.`)
  expect(await run('grep_files', { pattern: words })).toContain('[1 match in 1 file.]')
  expect(await run('search_file', { query: words })).toContain(`**${words}`)
})
