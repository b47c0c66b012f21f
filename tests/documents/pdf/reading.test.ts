import { expect, test } from 'vitest'
import { grid, lines, lorem, paragraph } from './compose.ts'
import { parsed, textOf } from './parse.ts'

const other =
  'Rain is expected along the coast from Thursday, while the valleys of the south stay dry and warm until the weekend. ' +
  'Farmers should bring in what they have cut, and boats under twelve metres ought to stay in the harbour on Friday.'

test('lines become paragraphs, whatever order they were drawn in', async () => {
  const drawn = [
    ...paragraph(other, { x: 50, y: 300, width: 480 }),
    ...paragraph(lorem, { x: 50, y: 100, width: 480 }),
  ].reverse()
  expect(await textOf(drawn)).toBe(`${lorem}\n\n${other}`)
})

test('columns are read one after the other, below a heading that stands across both', async () => {
  const text = await textOf(
    [{ x: 120, y: 70, text: 'A heading that goes across both columns', size: 18 }],
    paragraph(lorem, { x: 50, y: 110, width: 235 }),
    paragraph(other, { x: 310, y: 110, width: 235 }),
    paragraph(other, { x: 50, y: 300, width: 490 }),
  )
  expect(text).toBe(`## A heading that goes across both columns\n\n${lorem}\n\n${other}\n\n${other}`)
})

test('columns whose lines are at different heights, and three of them', async () => {
  expect(
    await textOf(paragraph(lorem, { x: 50, y: 100, width: 235 }), paragraph(other, { x: 310, y: 105, width: 235 })),
  ).toBe(`${lorem}\n\n${other}`)
  const three = [50, 225, 400].flatMap((x, index) => paragraph(`${index}. ${lorem}`, { x, y: 100, width: 155 }))
  expect(await textOf(three)).toBe([0, 1, 2].map((index) => `${index}. ${lorem}`).join('\n\n'))
})

test('a paragraph goes on in the next column', async () => {
  const all = paragraph(lorem, { x: 50, y: 100, width: 235 })
  const half = all.length >> 1
  const moved = all.slice(half).map((line, index) => ({ ...line, x: 310, y: 100 + index * 12 }))
  expect(await textOf(all.slice(0, half), moved)).toBe(lorem)
})

test('aligned cells become a table between paragraphs', async () => {
  const text = await textOf(
    paragraph(lorem, { x: 50, y: 100, width: 490 }),
    grid(
      [
        ['Region', 'Q1', 'Q2'],
        ['North', '1.200', '1.300'],
        ['South | West', '900', ''],
        ['Total', '2.100', '1.300'],
      ],
      { xs: [60, 200, 300], y: 200 },
    ),
    paragraph(other, { x: 50, y: 300, width: 490 }),
  )
  const table =
    '| Region | Q1 | Q2 |\n| --- | --- | --- |\n| North | 1.200 | 1.300 |\n| South \\| West | 900 |  |\n| Total | 2.100 | 1.300 |'
  expect(text).toBe(`${lorem}\n\n${table}\n\n${other}`)
})

test('lines within a cell stay in it', async () => {
  const text = await textOf(
    grid([['Item', 'What it is', 'Price']], { xs: [50, 150, 400], y: 100 }),
    grid([['Pump', 'A pump for wells up to twenty metres', '310.00']], { xs: [50, 150, 400], y: 124 }),
    lines(['with a hose and two valves'], { x: 150, y: 136 }),
    grid([['Tank', 'Steel, 500 litres', '99.50']], { xs: [50, 150, 400], y: 160 }),
  )
  expect(text.split('\n').slice(2)).toEqual([
    '| Pump | A pump for wells up to twenty metres with a hose and two valves | 310.00 |',
    '| Tank | Steel, 500 litres | 99.50 |',
  ])
})

test('neither lists nor running text become tables', async () => {
  const list = ['First thing to do', 'Second thing to do', 'Third thing to do', 'Fourth thing']
  expect(
    await textOf(
      grid(
        list.map((text) => ['•', text]),
        { xs: [50, 80], y: 100 },
      ),
    ),
  ).toBe(list.map((text) => `- ${text}`).join('\n'))
  const chapters = ['1.1', '1.2', '1.3'].map((number, index) => [number, `Chapter ${'. '.repeat(20)}${index + 1}`])
  expect(await textOf(grid(chapters, { xs: [50, 80], y: 100 }))).toBe(
    ['1.1 Chapter … 1', '1.2 Chapter … 2', '1.3 Chapter … 3'].join('\n'),
  )
  const spread = lorem
    .split(' ')
    .map((word, index) => ({ x: 50 + (index % 6) * 85, y: 100 + Math.floor(index / 6) * 12, text: word }))
  const uneven = spread.map((text, index) => ({ ...text, x: text.x + ((index * 37) % 50) }))
  expect(await textOf(uneven)).not.toContain('|')
})

test('words divided at the end of a line are joined, and hyphens that belong to words stay', async () => {
  const at = { x: 50, y: 100 }
  expect(await textOf(lines(['Die Geschäfts-', 'führung prüft Ein-', 'und Ausgaben in Nord-', 'Amerika.'], at))).toBe(
    'Die Geschäftsführung prüft Ein- und Ausgaben in Nord-Amerika.',
  )
  expect(await textOf(lines(['Am Don\u00adnerstag sofort.'], { ...at, font: 'any' }))).toBe('Am Donnerstag sofort.')
})

test('ligatures, hard spaces and indices', async () => {
  const text = await textOf(
    [{ x: 50, y: 100, text: 'oﬃce ﬁles\u00a0½ ², Å', size: 12, font: 'any' }],
    [
      { x: 50, y: 140, text: 'Water is H', size: 12 },
      { x: 102.7, y: 143, text: '2', size: 7 },
      { x: 107, y: 140, text: 'O here', size: 12 },
      { x: 141, y: 135, text: '1', size: 7 },
    ],
  )
  expect(text).toBe('office files ½ ², Å\n\nWater is H2O here1')
})

test('raised figures are no digits of the number before them', async () => {
  const big = (x: number, y: number, text: string) => ({ x, y, text, size: 12 })
  const small = (x: number, y: number, text: string) => ({ x, y, text, size: 7 })
  const costs = [big(50, 100, 'The costs were 1,234'), small(162.1, 96, '3'), big(166.1, 100, ' in 2025')]
  expect(await textOf(costs)).toBe('The costs were 1,234^3 in 2025')
  const cup = [
    big(50, 100, 'Use 1'),
    small(82, 96, '1'),
    big(86, 100, '/'),
    small(89.4, 101, '2'),
    big(93.5, 100, ' cup'),
  ]
  expect(await textOf(cup)).toBe('Use 1 1/2 cup')
  const power = [big(50, 100, 'about 10'), small(97.5, 96, '-'), small(99.9, 96, '6'), big(104, 100, ' per ml')]
  expect(await textOf(power)).toBe('about 10^-6 per ml')
})

test('short lines stay lines: an address is no sentence', async () => {
  const text = await textOf(
    lines(['ACME Ltd', '12 High Street', 'Oldtown'], { x: 50, y: 50 }),
    paragraph(lorem, { x: 50, y: 150, width: 480 }),
  )
  expect(text).toBe(`ACME Ltd\n12 High Street\nOldtown\n\n${lorem}`)
})

test('Chinese and Japanese in fonts that are not in the file', async () => {
  const text = await textOf(
    lines(['本协议由甲乙双方于二零二四年签订，双方应当遵守', '以下条款。'], { x: 50, y: 100, font: 'gb' }),
    lines(['東京都の人口は千四百万人である。これは日本の', '総人口の一割を超える。'], { x: 50, y: 200, font: 'jis' }),
  )
  expect(text).toBe(
    '本协议由甲乙双方于二零二四年签订，双方应当遵守以下条款。\n\n東京都の人口は千四百万人である。これは日本の総人口の一割を超える。',
  )
})

test('Japanese from top to bottom is read from right to left', async () => {
  const columns = ['縦書きの文章は右から', '左へ読みます。'].map((text, index) => ({
    x: 400 - index * 14,
    y: 100,
    text,
    font: 'down' as const,
  }))
  expect(await textOf(columns.toReversed())).toBe('縦書きの文章は右から左へ読みます。')
})

const seen = (text: string): string => [...text].reverse().join('')

test('Arabic and Hebrew come out in the order in which they are read', async () => {
  const text = await textOf(
    [{ x: 50, y: 100, font: 'any', text: seen('مرحبا بالعالم العربي') }],
    [{ x: 50, y: 140, font: 'any', text: seen('שלום )עולם( טוב') }],
    [{ x: 50, y: 180, font: 'any', text: `${seen('في القاهرة')} 2024 ${seen('اجتماع')}` }],
    [
      { x: 50, y: 220, font: 'any', text: seen('بلغة') },
      { x: 90, y: 220, font: 'latin', text: 'Type Script' },
      { x: 150, y: 220, font: 'any', text: seen('كتب') },
    ],
  )
  expect(text.split('\n\n')).toEqual([
    'مرحبا بالعالم العربي',
    'שלום (עולם) טוב',
    'اجتماع 2024 في القاهرة',
    'كتب Type Script بلغة',
  ])
})

test('pages that are turned, and text that is turned on its page', async () => {
  const upright = paragraph(lorem, { x: 50, y: 100, width: 480 })
  const turned = upright.map((text) => ({ ...text, turn: 90, x: text.y, y: 842 - text.x }))
  const sideways = { x: 20, y: 700, text: 'Draft of March', turn: 90 }
  const { parts } = await parsed([
    { texts: turned },
    { texts: turned, rotate: 90 },
    { texts: upright, rotate: 270 },
    { texts: [sideways, ...upright] },
  ])
  expect(parts.map((part) => part.text)).toEqual([lorem, lorem, lorem, `${lorem}\n\nDraft of March`])
})
