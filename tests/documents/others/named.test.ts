import { expect, test } from 'vitest'
import { parseFile } from '../../../src/kit/documents/parse-file.ts'
import { bookParts, zipped } from '../damage/samples.ts'
import { limits } from './make.ts'

const read = (name: string, bytes: string | Uint8Array) =>
  parseFile({ name, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes }, limits)

test('contacts: folded lines, groups, old cards with their own encoding, and no pictures', async () => {
  const cards = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Ana Whitlock',
    'ORG:Acme;Sales',
    'item1.TEL;TYPE=CELL,pref:+44 20 1234',
    'EMAIL;type=INTERNET;type=WORK:ana@example.com',
    'ADR;TYPE=HOME:;;4 Harbour Road;Aberdeen;;AB1;UK',
    'NOTE:First\\nsecond\\, and a long',
    ' er one',
    'PHOTO;ENCODING=b:AAAA',
    'END:VCARD',
    'BEGIN:VCARD',
    'VERSION:2.1',
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCll=',
    'er;J=C3=B6rg',
    'TEL;CELL:123',
    'END:VCARD',
  ]
  const { kind, parts, notes } = await read('any name', cards.join('\r\n'))
  expect(kind).toBe('contact')
  expect(notes).toEqual(['2 contacts.'])
  expect(parts[0]?.text).toBe(`## Ana Whitlock
- Organisation: Acme, Sales
- Phone (cell): +44 20 1234
- Email (work): ana@example.com
- Address (home): 4 Harbour Road, Aberdeen, AB1, UK
- Note: First second, and a longer one

## Jörg Müller
- Phone (cell): 123`)
})

test('a backslash that is written twice is one, whatever follows it', async () => {
  const card = ['BEGIN:VCARD', 'N:Slash\\\\;Ana', 'NOTE:In C:\\\\new\\nand C:\\\\\\, too\\; fine', 'END:VCARD']
  const { parts } = await read('a.vcf', card.join('\r\n'))
  expect(parts[0]?.text).toBe('## Ana Slash\\\n- Note: In C:\\new and C:\\, too; fine')
})

test.each([
  ['SHIFT_JIS', '=93=FA=96=7B', '日本'],
  ['windows-1251', '=CF=F0=E8=E2=E5=F2', 'Привет'],
  ['ISO-8859-1', 'J=F6rg', 'Jörg'],
  ['X-ODD', 'J=C3=B6rg', 'Jörg'],
])('an old card in %s', async (charset, name, shown) => {
  const card = `BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=${charset};ENCODING=QUOTED-PRINTABLE:${name}\r\nEND:VCARD\r\n`
  expect((await read('a.vcf', card)).parts[0]?.text).toBe(`## ${shown}`)
})

test('a calendar: dates on which an event takes place besides', async () => {
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:R', 'RDATE;VALUE=DATE:20260405,20260412']
  lines.push('RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260501T100000/PT1H', 'DTSTART;VALUE=DATE:20260301')
  const { parts } = await read('a.ics', [...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n'))
  expect(parts[0]?.text).toBe(
    '## R\n- Begins: 2026-03-01\n- Also on: 2026-04-05, 2026-04-12\n- Also on: 2026-05-01 10:00/PT1H (Europe/Berlin)',
  )
})

test('a calendar: times with their zones, people and their answers; what is cut off is said', async () => {
  const calendar = [
    'BEGIN:VCALENDAR',
    'X-WR-CALNAME:Team',
    'BEGIN:VEVENT',
    'ATTENDEE;CN="Ben, B";PARTSTAT=ACCEPTED:mailto:ben@example.com',
    'DTEND:20250314T110000Z',
    'DTSTART;TZID=Europe/Berlin:20250314T100000',
    'SUMMARY:Review\\, part 2',
    'BEGIN:VALARM',
    'DESCRIPTION:ring',
    'END:VALARM',
    'END:VEVENT',
    'BEGIN:VTODO',
    'SUMMARY:Buy steel',
    'DUE;VALUE=DATE:20250401',
  ]
  const { parts, notes } = await read('team.ics', calendar.join('\r\n'))
  expect(parts[0]?.text).toBe(`## Review, part 2
- Begins: 2025-03-14 10:00 (Europe/Berlin)
- Ends: 2025-03-14 11:00 UTC
- Attends: Ben, B <ben@example.com>, accepted

## Buy steel (task)
- Due: 2025-04-01`)
  expect(notes).toEqual([
    'The calendar is named "Team".',
    '2 entries.',
    'It ends in the middle: what followed was left out.',
  ])
})

test('a time zone that a calendar defines itself is told by its offsets', async () => {
  const rule = (kind: string, since: string, offset: string): string[] => [
    ...[`BEGIN:${kind}`, `DTSTART:${since}`, 'TZOFFSETFROM:+0300', `TZOFFSETTO:${offset}`, `END:${kind}`],
  ]
  const zone = (id: string, ...rules: string[][]): string[] => [
    ...['BEGIN:VTIMEZONE', `TZID:${id}`, ...rules.flat(), 'END:VTIMEZONE'],
  ]
  const calendar = [
    'BEGIN:VCALENDAR',
    'X-WR-TIMEZONE:Europe/Rome',
    ...zone(
      'Customized Time Zone',
      rule('STANDARD', '16011028T030000', '+0100'),
      rule('DAYLIGHT', '20070325T020000', '+0200'),
      rule('DAYLIGHT', '16010325T020000', '+0400'),
    ),
    ...zone('Office', rule('STANDARD', '16010101T000000', '-0330')),
    ...zone('Europe/Berlin', rule('STANDARD', '16010101T000000', '+0100')),
    ...[
      'BEGIN:VEVENT',
      'SUMMARY:R',
      'DTSTART;TZID=Customized Time Zone:20260314T100000',
      'END:VEVENT',
      'END:VCALENDAR',
    ],
  ]
  const { parts, notes } = await read('a.ics', calendar.join('\r\n'))
  expect(parts[0]?.text).toBe('## R\n- Begins: 2026-03-14 10:00 (Customized Time Zone)')
  expect(notes).toEqual([
    '1 entry.',
    'The calendar’s time zone is Europe/Rome.',
    'The time zone "Customized Time Zone" is UTC+01:00, in summer UTC+02:00.',
    'The time zone "Office" is UTC-03:30.',
  ])
})

test('an event of whole days ends before the day that its file names', async () => {
  const of = async (...lines: string[]): Promise<string | undefined> =>
    (await read('a.ics', ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:R', ...lines, 'END:VEVENT'].join('\r\n')))
      .parts[0]?.text
  expect(await of('DTSTART;VALUE=DATE:20250314', 'DTEND;VALUE=DATE:20250315')).toBe(
    '## R\n- Begins: 2025-03-14\n- Ends: before 2025-03-15',
  )
  expect(await of('DTSTART:20250314T100000', 'DTEND:20250315T000000')).toContain('- Ends: 2025-03-15 00:00')
})

test('a folded text is whole however long it is, and many marks in it take no time', async () => {
  const words = Array.from({ length: 400 }, (_, index) => `word ${index} `.padEnd(70, 'x'))
  const event = ['BEGIN:VEVENT', 'SUMMARY:R', `DESCRIPTION:${words.join('\r\n ')} LAST`, 'END:VEVENT']
  const { parts } = await read('a.ics', ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n'))
  expect(parts[0]?.text).toBe(`## R\n- Description: ${words.join('')} LAST`)
  const card = ['BEGIN:VCARD', 'FN:Ana', `NOTE:${'\\'.repeat(300_001)};x`, 'TEL;A="b;c:d";TYPE=x:1', 'END:VCARD']
  const contact = (await read('a.vcf', card.join('\r\n'))).parts[0]?.text
  expect(contact).toMatch(/\\;x\n- Phone \(x\): 1$/)
  expect(contact).toHaveLength('## Ana\n- Note: ;x\n- Phone (x): 1'.length + 150_000)
})

test('a notebook: text, code and what it printed; a broken one is refused', async () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', source: ['# Study\n', '\n', 'Why.'] },
      {
        cell_type: 'code',
        source: 'print("```")',
        outputs: [
          { output_type: 'stream', text: ['\u001b[31mred\u001b[0m\n'] },
          { data: { 'text/html': '<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'text/plain': 'frame' } },
          { data: { 'image/png': 'AAAA' } },
          { ename: 'ValueError', evalue: 'bad', traceback: [] },
        ],
      },
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
  }
  const { parts, notes } = await read('study.ipynb', JSON.stringify(notebook))
  expect(parts[0]).toMatchObject({ name: 'Study' })
  expect(parts[0]?.text).toContain('# Study\n\nWhy.\n\n````python\nprint("```")\n````\n\nOutput:\n\n```\nred\n```')
  expect(parts[0]?.text).toMatch(/\| a \| b \|\n\| --- \| --- \|\n\| 1 \| 2 \|/)
  expect(parts[0]?.text).toContain('ValueError: bad')
  expect(notes.join(' ')).toContain('1 of its outputs are images')
  await expect(read('study.ipynb', '{"cells": [')).rejects.toMatchObject({ code: 'damaged' })
})

test('a saved web page: its text by headings, in the encoding that it names', async () => {
  const page = Buffer.from(
    '<html><head><meta charset="windows-1252"><title>Caf\xe9 &amp; bar</title><script>no()</script></head><body><h2>One</h2><p>Cr\xe8me</p><h2>Two</h2><ul><li>a<li>b</ul></body></html>',
    'latin1',
  )
  const { parts, notes } = await read('page.HTM', page)
  expect(parts.map(({ name, text }) => [name, text])).toEqual([
    ['One', '## One\n\nCrème'],
    ['Two', '## Two\n\n- a\n- b'],
  ])
  expect(notes[0]).toBe('Its title is "Café & bar".')
})

test('a book is read in the order of its chapters; one that is copy-protected is refused', async () => {
  const { kind, parts, notes } = await read('a.zip', (await zipped('a', bookParts)).bytes)
  expect(kind).toBe('epub')
  expect(parts.map(({ number, name, text }) => [number, name, text])).toEqual([
    [1, 'Flood', '# Flood\n\nThe water rises.'],
    [2, 'Ebb', '# Ebb\n\nThe water falls.'],
  ])
  expect(notes).toEqual(['Its title is "Tides".', 'Its author is Ana Lee.'])
  const rights =
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:CipherData><enc:CipherReference URI="OPS/text/a.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>'
  const shut = await zipped('a', { ...bookParts, 'META-INF/encryption.xml': rights })
  await expect(read('a.epub', shut.bytes)).rejects.toMatchObject({ code: 'not_readable' })
})
