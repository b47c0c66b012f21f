import { expect, test } from 'vitest'
import { parseFile } from '../../../src/kit/documents/parse-file.ts'
import { makePdf } from '../pdf/make.ts'
import { limits, parse } from './make.ts'
import { type MadeMessage, outlookMessage, type Property } from './make-msg.ts'

const pdf = makePdf({ pages: [{ texts: [{ x: 50, y: 100, text: 'We offer 12 chairs.' }] }] })

const [subject, sender, senderAddress, sent] = [0x0037, 0x0c1a, 0x5d01, 0x0039]
const [body, html, recipientType, name, address] = [0x1000, 0x1013, 0x0c15, 0x3001, 0x39fe]
const [data, fileName, method, mimeType] = [0x3701, 0x3707, 0x3705, 0x370e]

const offer: MadeMessage = {
  properties: [
    [0x001a, 'IPM.Note'],
    [subject, 'Offer for Größe 東京'],
    [sender, 'Ana Lee'],
    [senderAddress, 'ana@example.org'],
    [sent, new Date(Date.UTC(2024, 4, 6, 7, 8, 9))],
    [body, 'See the offer.\r\nAna'],
  ],
  recipients: [
    [
      [recipientType, 1],
      [name, 'Ben Roe'],
      [address, 'ben@example.org'],
    ],
    [
      [recipientType, 2],
      [name, 'Cleo'],
      [address, '/o=Example/cn=Recipients/cn=cleo'],
    ],
  ],
  attachments: [
    [
      [method, 1],
      [fileName, 'offer.pdf'],
      [mimeType, 'application/pdf'],
      [data, pdf],
    ],
  ],
}

const note = (...more: Property[]): MadeMessage => ({ properties: [[0x001a, 'IPM.Note'], [subject, 'Note'], ...more] })

test('an Outlook message is read as an .eml is: who, when, what, and its attachments', async () => {
  const { kind, parts, notes } = await parse(parseFile, outlookMessage(offer), 'offer.msg')
  expect(kind).toBe('email')
  expect(parts.map(({ name }) => name)).toEqual(['Offer for Größe 東京', 'offer.pdf'])
  expect(parts[0]?.text).toBe(
    [
      'From: Ana Lee <ana@example.org>  ',
      'To: Ben Roe <ben@example.org>  ',
      'Cc: Cleo  ',
      'Date: Mon, 06 May 2024 07:08:09 GMT  ',
      'Subject: Offer for Größe 東京',
      '',
      'See the offer.\r\nAna',
      '',
      'Attachments:',
      `- offer.pdf (application/pdf, ${pdf.length.toLocaleString('en')} bytes)`,
    ].join('\n'),
  )
  expect(parts[1]?.text).toBe('We offer 12 chairs.')
  expect(notes[0]).toContain('Its attachment is read too')
})

test('it names who got a blind copy, and where answers go if not to its sender', async () => {
  const recipients: Property[][] = [
    [
      [recipientType, 3],
      [name, 'Dan'],
      [address, 'dan@example.org'],
    ],
  ]
  const of = async (kind: string, reply: string): Promise<string | undefined> => {
    const internet = `Received: x\r\nReply-To: ${reply}\r\nSubject: s\r\n`
    const properties: Property[] = [
      [0x001a, kind],
      [senderAddress, 'ana@example.org'],
      [0x007d, internet],
    ]
    return (await parse(parseFile, outlookMessage({ properties, recipients }))).parts[0]?.text
  }
  expect(await of('IPM.Note', '=?utf-8?Q?B=C3=BCro?=\r\n <office@example.org>')).toBe(
    'From: ana@example.org  \nBcc: Dan <dan@example.org>  \nReply-To: Büro <office@example.org>',
  )
  expect(await of('IPM.Note', 'Ana <Ana@example.org>')).toBe('From: ana@example.org  \nBcc: Dan <dan@example.org>')
  // The rooms of an appointment.
  for (const kind of ['IPM.Appointment', 'IPM.Schedule.Meeting.Request'])
    expect(await of(kind, 'Ana <ana@example.org>')).not.toContain('Dan')
})

test('a message in a message is read with its attachments, down to the depth of archives', async () => {
  const forward = (inner: MadeMessage): MadeMessage => ({
    ...note([body, 'Forwarded.']),
    attachments: [
      [
        [method, 5],
        [name, 'Offer'],
        [data, inner],
      ],
    ],
  })
  const { parts } = await parse(parseFile, outlookMessage(forward(offer)), 'a.msg')
  expect(parts.map(({ name }) => name)).toEqual(['Note', 'Offer.msg: Offer for Größe 東京', 'Offer.msg: offer.pdf'])
  const deep = await parse(parseFile, outlookMessage(forward(forward(forward(forward(offer))))), 'a.msg')
  expect(deep.parts.at(-1)?.text).toContain('it lies too deep')
})

test('without plain text, its HTML is shown, or its packed RTF', async () => {
  const page = Buffer.from('<html><body><h1>Grö\u00dfe</h1><p>Twelve <b>chairs</b></p></body></html>')
  const web = await parse(parseFile, outlookMessage(note([html, page])))
  expect(web.parts[0]?.text).toContain('# Größe\n\nTwelve')
  const long = Buffer.from(`<p>${'Twelve chairs. '.repeat(30)}</p>`)
  const notice = await parse(parseFile, outlookMessage(note([body, 'Look at the page.'], [html, long])))
  expect(notice.parts[0]?.text).toContain('Twelve chairs. Twelve')

  const rtf = Buffer.from('{\\rtf1\\ansi Twelve chairs\\par}')
  const head = Buffer.alloc(16)
  head.writeUInt32LE(rtf.length + 12, 0)
  head.writeUInt32LE(rtf.length, 4)
  // Stored as it is.
  head.write('MELA', 8)
  const packed = await parse(parseFile, outlookMessage(note([0x1009, Buffer.concat([head, rtf])])))
  expect(packed.parts[0]?.text).toContain('Twelve chairs')
})

test('texts that aren’t Unicode are read in the encoding that the message names', async () => {
  const of = async (hex: string, ...more: Property[]): Promise<string | undefined> => {
    const words = Buffer.from(hex, 'hex')
    const properties: Property[] = [[0x001a, Buffer.from('IPM.Note'), 'oldText'], [body, words, 'oldText'], ...more]
    const recipients: Property[][] = [
      [
        [recipientType, 1],
        [name, words, 'oldText'],
      ],
    ]
    return (await parse(parseFile, outlookMessage({ properties, recipients }))).parts[0]?.text
  }
  const [messagePage, internetPage] = [0x3ffd, 0x3fde]
  const russian = 'cff0e8e2e5f220353030'
  expect(await of(russian, [messagePage, 1251], [internetPage, 65001])).toBe('To: Привет 500\n\nПривет 500')
  expect(await of(russian, [internetPage, 1251], [subject, 'Größe'])).toBe(
    'To: Привет 500  \nSubject: Größe\n\nПривет 500',
  )
  expect(await of('8365835883672031', [messagePage, 932])).toBe('To: テスト 1\n\nテスト 1')
  expect(await of('f0d2c9d7c5d4', [internetPage, 20866])).toBe('To: Привет\n\nПривет')
  expect(await of('b1f2', [internetPage, 28592])).toBe('To: ąň\n\nąň')
  expect(await of('47726ffc6520803530', [messagePage, 9999])).toBe('To: Groüe €50\n\nGroüe €50')
  expect(await of('47726ffc6520803530')).toBe('To: Groüe €50\n\nGroüe €50')
})

/** Every Monday without an end, as Outlook stores it. */
function weekly(): Uint8Array {
  const [short, long] = [2, 4]
  const parts: [bytes: number, ...values: number[]][] = [
    // Versions, and a pattern by weeks.
    [short, 0x3004, 0x3004, 0x200b, 1, 0],
    // First day, every week, no sliding, Mondays, no end, 10 times, weeks from Monday, nothing deleted or changed.
    [long, 0, 1, 0, 2, 0x2023, 10, 1, 0, 0, 0, 0x5ae980df],
    // Versions, and its time of day in minutes; then no exceptions, and nothing reserved.
    [long, 0x3006, 0x3009, 420, 480],
    [short, 0],
    [long, 0, 0],
  ]
  return Buffer.concat(
    parts.flatMap(([bytes, ...values]) =>
      values.map((value) => {
        const field = Buffer.alloc(bytes)
        field.writeUIntLE(value, 0, bytes)
        return field
      }),
    ),
  )
}

test('an appointment says when and where it is; a contact and a task say what of them is missing', async () => {
  const meeting: MadeMessage = {
    named: [0x820d, 0x820e, 0x8208],
    properties: [
      [0x001a, 'IPM.Appointment'],
      [subject, 'Board meeting'],
      [sent, new Date(Date.UTC(2024, 0, 2))],
      [0x8000, new Date(Date.UTC(2024, 4, 6, 7))],
      [0x8001, new Date(Date.UTC(2024, 4, 6, 8))],
      [0x8002, 'Room 5'],
    ],
  }
  const { parts, notes } = await parse(parseFile, outlookMessage(meeting))
  expect(parts[0]?.text).toBe(
    [
      'Begins: Mon, 06 May 2024 07:00:00 GMT  ',
      'Ends: Mon, 06 May 2024 08:00:00 GMT  ',
      'Place: Room 5  ',
      'Date: Tue, 02 Jan 2024 00:00:00 GMT  ',
      'Subject: Board meeting',
    ].join('\n'),
  )
  expect(notes).toEqual([])

  const series = { ...meeting, named: [...(meeting.named ?? []), 0x8216] }
  series.properties = [...meeting.properties, [0x8003, weekly()]]
  expect((await parse(parseFile, outlookMessage(series))).notes).toEqual([
    'It is an appointment that repeats. When it does is not read: ask for it as .ics.',
  ])

  const ana: Property[] = [
    [0x001a, 'IPM.Contact'],
    [subject, 'Ana Lee'],
    [0x3a16, 'Acme'],
    [0x3a08, '+44 20 1234'],
  ]
  expect((await parse(parseFile, outlookMessage({ properties: ana }))).parts[0]?.text).toBe(
    'Organisation: Acme  \nPhone: +44 20 1234  \nSubject: Ana Lee',
  )
  const notesOf = async (kind: string): Promise<string[]> =>
    (
      await parse(
        parseFile,
        outlookMessage({
          properties: [
            [0x001a, kind],
            [subject, 'Ana Lee'],
            [body, 'x'],
          ],
        }),
      )
    ).notes
  expect(await notesOf('IPM.Contact')).toEqual([expect.stringContaining('ask for it as .vcf')])
  expect(await notesOf('IPM.TaskRequest')).toEqual([])
  expect(await notesOf('IPM.Task')).toEqual([expect.stringContaining('ask when it is due')])
})

test('one whose page is cut says so, even if its text is shorter than the limit', async () => {
  const page = Buffer.from(`<body>Hello${'<span class="longer than its words">x</span>'.repeat(100)}</body>`)
  const message = outlookMessage(note([html, page]))
  const notesOf = async (bytes: Uint8Array, textCharacters: number): Promise<string[]> =>
    (await parseFile({ name: 'a.msg', bytes }, { ...limits, textCharacters })).notes
  expect(await notesOf(message, 1000)).toEqual(['Its text is too long to read completely: the end was left out.'])
  expect(await notesOf(message, 5000)).toEqual([])
})

test('one that is cut is damaged, and too many bytes in attachments are left out', async () => {
  const file = outlookMessage(offer)
  for (const end of [600, 1600, file.length - 3000])
    await expect(parse(parseFile, file.subarray(0, end))).rejects.toMatchObject({ code: 'damaged' })
  const { parts } = await parseFile({ name: 'a.msg', bytes: file }, { ...limits, unpackedBytes: 100 })
  expect(parts[0]?.text).toContain('not read, it is too large')
})
