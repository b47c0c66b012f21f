import { expect, test } from 'vitest'
import { grid, lines, lorem, paragraph } from './compose.ts'
import { parsed, textOf } from './parse.ts'

const seen = (text: string): string => [...text].reverse().join('')
const arabic = [
  'تفحص البضائع التي تصل قبل',
  'التخزين ويحفظ الفريق محاضر',
  'اجتماعاته في المكتب الرئيسي',
  'ثم ترسل إلى جميع الأعضاء.',
]
const hebrew = [
  'כל בני האדם נולדו בני חורין',
  'ושווים בערכם ובזכויותיהם וכולם',
  'חוננו בתבונה ובמצפון ולכן עליהם',
  'לנהוג איש ברעהו ברוח אחווה.',
]

test('columns from right to left are read from the right one to the left one', async () => {
  const ending = (texts: string[], right: number) =>
    texts.map((text, index) => ({
      x: right - text.length * 5.5,
      y: 100 + index * 14,
      text: seen(text),
      font: 'any' as const,
    }))
  expect(await textOf(ending(hebrew, 250), ending(arabic, 500))).toBe(`${arabic.join(' ')}\n\n${hebrew.join(' ')}`)
})

test('cells whose text is broken into lines, in the first column too, where rows stand further apart than lines', async () => {
  const xs = [50, 330, 430]
  const rows = [
    ['The team of the northern depot meets every second', 'week and keeps minutes.', '1 May', '120.00'],
    ['Access to the building is by card; visitors are met', 'at the door of the hall.', '7 June', '75.50'],
    ['Invoices are checked by two people before they are', 'paid at the end of a month.', '9 July', '3.20'],
  ]
  const drawn = rows.flatMap(([text = '', more = '', ...rest], index) => [
    ...grid([[text, ...rest]], { xs, y: 120 + index * 32 }),
    ...lines([more], { x: 50, y: 132 + index * 32 }),
  ])
  const table = rows.map(([text, more, date, amount]) => `| ${text} ${more} | ${date} | ${amount} |`)
  expect(await textOf(grid([['Duty', 'Date', 'Cost']], { xs, y: 100 }), drawn)).toBe(
    ['| Duty | Date | Cost |', '| --- | --- | --- |', ...table].join('\n'),
  )
})

test('rows that stand in groups stay rows', async () => {
  const row = (index: number) => [`Item ${index}`, `${index}00.00`, `${index}.5 %`]
  const drawn = [0, 1, 2].flatMap((group) =>
    grid([row(group * 2 + 1), row(group * 2 + 2)], { xs: [50, 200, 300], y: 100 + group * 40, pitch: 12 }),
  )
  expect((await textOf(drawn)).split('\n')).toHaveLength(7)
})

test('what stands side by side above a table is none of its rows', async () => {
  const text = await textOf(
    grid(
      [
        ['Brightwell Foods', 'Corvane Logistics'],
        ['Ana Whitlock', 'Priya Raman'],
        ['Aberdeen', 'Cardiff'],
      ],
      { xs: [50, 210], y: 60, pitch: 14 },
    ),
    grid(
      [
        ['#', 'Article', 'Count', 'Price'],
        ['1', 'Lighthouse', '3', '12.50'],
        ['2', 'Granite', '14', '7.00'],
      ],
      { xs: [55, 80, 330, 480], y: 120 },
    ),
  )
  expect(text.split('\n\n').at(-1)?.split('\n')).toEqual([
    '| # | Article | Count | Price |',
    '| --- | --- | --- | --- |',
    '| 1 | Lighthouse | 3 | 12.50 |',
    '| 2 | Granite | 14 | 7.00 |',
  ])
})

test('a centred header above right-aligned numbers makes no column of its own', async () => {
  const text = await textOf(
    [
      { x: 50, y: 100, text: 'City' },
      { x: 160, y: 100, text: 'Staff' },
      { x: 280, y: 100, text: 'Since' },
    ],
    ['Norwich', 'Cardiff', 'Aberdeen'].flatMap((city, index) =>
      grid([[city, `${index + 3}`, `${1990 + index}`]], { xs: [50, 220, 280], y: 116 + index * 16 }),
    ),
  )
  expect(text.split('\n').slice(0, 3)).toEqual([
    '| City | Staff | Since |',
    '| --- | --- | --- |',
    '| Norwich | 3 | 1990 |',
  ])
})

test('headings whose letters are spread out are words', async () => {
  const spread = ['A n n u a l', 'R e p o r t'].map((text, index) => ({ x: 50 + index * 85, y: 60, text, size: 16 }))
  expect(await textOf(spread, paragraph(lorem, { x: 50, y: 100, width: 480 }))).toBe(`## Annual Report\n\n${lorem}`)
  expect(await textOf(lines(['A B C D E F'], { x: 50, y: 60 }))).toBe('A B C D E F')
})

test('what is printed twice to look bold is read once', async () => {
  // Helvetica's widths of B, i, L, l and D.
  const letters = [
    ['B', 0],
    ['i', 6.67],
    ['L', 8.89],
    ['l', 14.45],
    ['l', 16.67],
    ['D', 18.89],
  ] as const
  const single = letters.flatMap(([text, x]) => [
    { x: 50 + x, y: 100, text },
    { x: 50.3 + x, y: 100, text },
  ])
  const words = ['Total bill due', 'Total bill due'].map((text, index) => ({ x: 50 + index * 0.4, y: 150, text }))
  expect(await textOf(single, words, [{ x: 50, y: 200, text: 'AABB committee 1100' }])).toBe(
    'BiLllD\n\nTotal bill due\n\nAABB committee 1100',
  )
})

test('text above a table of smaller type is no heading', async () => {
  const small = Array.from({ length: 12 }, (_, index) => [
    `Part number ${index}`,
    `Shelf ${index} of hall 4`,
    `${index}.50`,
  ])
  const text = await textOf(
    paragraph(lorem, { x: 50, y: 60, width: 480, size: 11 }),
    grid(small, { xs: [50, 200, 400], y: 200, size: 8 }),
    [{ x: 50, y: 420, text: 'Parts are counted twice. A third count is made in May.', size: 11 }],
  )
  expect(text).toMatch(/^The committee/)
  expect(text).not.toContain('#')
})

test('addresses of links follow their words, once, if they differ from the words', async () => {
  const link = (url: string, rect: string) => `/Subtype /Link /Rect [${rect}] /A << /S /URI /URI (${url}) >>`
  const { parts } = await parsed([
    {
      texts: lines(
        ['Read the manual before you start the pump.', 'Or ask ana@example.org about it, at any', 'time of the day.'],
        { x: 50, y: 100, leading: 14 },
      ),
      annotations: [
        link('https://example.org/pump?a=1|2', '92 738 130 752'),
        link('mailto:ana@example.org', '80 724 160 738'),
        link('https://example.org/time', '180 724 260 738'),
        link('https://example.org/time', '48 710 70 724'),
        link('file:///etc/passwd', '48 738 70 752'),
      ],
    },
  ])
  expect(parts[0]?.text).toBe(
    'Read the manual (https://example.org/pump?a=1%7C2) before you start the pump. Or ask ana@example.org about it, at any time (https://example.org/time) of the day.',
  )
})
