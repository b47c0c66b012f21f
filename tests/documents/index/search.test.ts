import { expect, test } from 'vitest'
import { pages, type Room, scratch, sheet, testLibrary } from './library.ts'

async function roomWith(...texts: string[]): Promise<Room> {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  await one.put('a.pdf', pages(...texts))
  return one
}

const filler = 'Nothing of interest stands in this sentence. '

test.each([
  ['4.1', 'Section 4.1 Term', '**4.1**', 'Section 4.10 and 14.1'],
  ['§ 12.3.1', 'See § 12.3.1 on notice', '**12.3.1**', 'See § 12.3.2'],
  ['1,234.56', 'The sum is 1,234.56 euros', '**1,234.56**', 'The sum is 1,234.57 euros'],
  ['1234.56', 'The sum is 1,234.56 euros', '**1,234.56**', 'The sum is 56'],
  ['1,234.56', 'Die Summe ist 1.234,56 Euro', '**1.234,56**', 'Die Summe ist 1,23'],
  ['1,234', 'The sum is 1,234³ euros', '**1,234**', 'The sum is 1,2343 euros'],
  ['1,234³', 'The sum is 1,234³,⁴ euros', '**1,234³**', 'The sum is 1,2343 euros'],
  ['10¹²', 'About 10¹² of them', '**10¹²**', 'About 1012 of them'],
  ['12 m²', 'A room of 12 m² is free', '**12 m²**', 'A room of 12 m³ is free'],
  ['m2', 'A room of 12 m² is free', '**m²**', 'A room of 12 m³ is free'],
  ['ana@example.com', 'Write to ana@example.com today', '**ana@example.com**', 'Write to ben@other.org'],
  ['AB-1234/7', 'File AB-1234/7 is closed', '**AB-1234/7**', 'File CD-9999/8 is open'],
  ['2024-03-05', 'Signed on 2024-03-05 in Rome', '**2024-03-05**', 'Signed on 2023-11-09'],
  ['12.03.2024', 'Am 12.03.2024 unterschrieben', '**12.03.2024**', 'Am 13.04.2023'],
])('finds %s as it is', async (query, text, marked, other) => {
  const room = await roomWith(other, text, filler.repeat(20))
  const { matches, forgiven } = await room.find(query)
  expect(matches[0]).toMatchObject({ number: 2, unit: 'page', score: 1 })
  expect(matches[0]?.passage).toContain(marked)
  expect(forgiven).toEqual([])
})

test.each([
  ['agreement terminated', 'The agreements may terminate early.', '**agreements**'],
  [
    'Kündigungsfrist',
    'Der Vertrag und die Kündigungsfristen sind für die Parteien nicht das gleiche.',
    '**Kündigungsfristen**',
  ],
  [
    'kundigungsfrist',
    'Der Vertrag und die Kündigungsfrist sind für die Parteien nicht das gleiche.',
    '**Kündigungsfrist**',
  ],
  ['Frist', 'Der Vertrag und die Kündigungsfrist sind für die Parteien nicht das gleiche.', '**Kündigungsfrist**'],
  ['Kündigungsfrist', 'Der Vertrag und die Frist sind für die Parteien nicht das gleiche.', '**Frist**'],
  ['résiliation contrats', 'La resiliation du contrat est dans les conditions de la partie.', '**resiliation**'],
  ['canción', 'Las canciones de los niños son para el público que las oye.', '**canciones**'],
  ['договор', 'Срок договора не может быть изменен по просьбе и на основании', '**договора**'],
  ['كتاب', 'قرأت الكتاب في البيت', '**الكتاب**'],
  ['合同期限', '双方同意延长合同期限。', '**合同期限**'],
  ['期限', '双方同意延长合同期限。', '**期限**'],
  ['契約', '本契約は三十日後に終了します。', '**契約**'],
  ['สัญญา', 'คู่สัญญาตกลงขยายระยะเวลา', '**สัญญา**'],
  ['계약', '이 계약은 2026년에 끝난다', '**계약**'],
  ['계약을', '이 계약은 2026년에 끝난다', '**계약**'],
  ['2026', '이 계약은 2026년에 끝난다', '**2026**'],
  ['ABC123', 'ＡＢＣ１２３ is the code', '**ＡＢＣ１２３**'],
  ['Lodz', 'The office in Łódź is closed', '**Łódź**'],
])('finds %s in “%s”', async (query, text, marked) => {
  const room = await roomWith(filler, text)
  const { matches, forgiven } = await room.find(query)
  expect(matches[0]?.passage).toContain(marked)
  expect(forgiven).toEqual([])
})

test('words of the same question that stand together come first, and common words decide nothing', async () => {
  const room = await roomWith(
    'The what is the of and who is it for the payment of it.',
    `The payment is made. ${filler.repeat(12)} The deadline is near.`,
    'The payment deadline is 30 days.',
    'A deadline. Of course.',
  )
  const { matches } = await room.find('what is the payment deadline')
  expect(matches[0]).toMatchObject({ number: 3, score: 1 })
  expect(matches[0]?.passage).toContain('**payment deadline**')
  expect(matches.map(({ score }) => score)).toEqual(matches.map(({ score }) => score).toSorted((a, b) => b - a))
})

test('a phrase in quotes has to stand there word for word, also across two chunks', async () => {
  const long = `${filler.repeat(8)}The lessee shall return all of the keys of the house upon the last day of the term to the owner of it. `
  const room = await roomWith('Term of the lease, last day', long.repeat(3), 'the LAST\nday of a term')
  const { matches } = await room.find('"the last day" lease')
  expect(new Set(matches.map(({ number }) => number))).toEqual(new Set([2, 3]))
  expect(matches.find(({ number }) => number === 2)?.passage).toContain('**the last day**')
  expect((await room.find('"keys of the house upon the last day of the term to the owner"')).matches).not.toEqual([])
  expect((await room.find('"day last"')).matches).toEqual([])
  expect((await room.find('“同意延长” "期限合同"')).matches).toEqual([])
})

test('slips of the pen are forgiven when no document has the word, and the words taken are named', async () => {
  const room = await roomWith('The guarantee covers one year.', 'Die Kündigungsfrist und der Vertrag sind nicht das.')
  const slip = await room.find('guarantte year')
  expect(slip.forgiven).toEqual(['guarantee'])
  expect(slip.matches[0]?.passage).toContain('**guarantee**')
  expect((await room.find('Kündgiungsfristt')).forgiven).toEqual(['kündigungsfrist'])
  expect(await room.find('guarantee')).toMatchObject({ forgiven: [] })
  expect(await room.find('zebra')).toEqual({ matches: [], forgiven: [], failures: [], cut: [] })
})

test('never shows a place twice, and shows what is around it from the same page', async () => {
  const text = Array.from({ length: 60 }, (_, index) => `Sentence ${index} speaks of nothing.`).join(' ')
  const room = await roomWith(`${text} The zebra sleeps here. ${text}`, 'Another page.')
  const { matches } = await room.find('zebra', { contextCharacters: 200 })
  expect(matches).toHaveLength(1)
  expect(matches[0]?.passage).toMatch(/^…Sentence.* The \*\*zebra\*\* sleeps here\. .*…$/)
  expect(matches[0]?.passage.length).toBeLessThan(260)
  const all = (await room.find('sentence', { maxResults: 50 })).matches.map(({ passage }) =>
    passage.replaceAll('*', ''),
  )
  expect(new Set(all).size).toBe(all.length)
})

test('marks of the text itself do not break the passage', async () => {
  const room = await roomWith('A **bold zebra** and 2**3 are **here', 'x ** zebra ** y')
  const { matches } = await room.find('zebra')
  expect(matches.map(({ passage }) => passage).toSorted()).toEqual([
    'A bold **zebra** and 2\\*\\*3 are \\*\\*here',
    'x \\*\\* **zebra** \\*\\* y',
  ])
})

test('in sheets it names the cell, or the rows, under the letters of the columns', async () => {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const rows = Array.from({ length: 60 }, (_, index) => [
    `Item ${index}`,
    `${index * 10}`,
    index === 41 ? 'zebra' : 'plain',
  ])
  await one.put('b.xlsx', sheet([['Name', 'Price', 'Note'], ...rows], 'Stock'))
  const { matches } = await one.find('zebra')
  expect(matches).toHaveLength(1)
  expect(matches[0]).toMatchObject({ unit: 'sheet', number: 1, name: 'Stock', cells: 'C43' })
  expect(matches[0]?.passage.split('\n').slice(0, 3)).toEqual([
    '|  | A | B | C |',
    '| --- | --- | --- | --- |',
    '| 1 | Name | Price | Note |',
  ])
  expect(matches[0]?.passage).toContain('| 43 | Item 41 | 410 | **zebra** |')
  // The head is found with every batch, row numbers and letters are not content.
  expect((await one.find('zebra note')).matches[0]?.cells).toBe('C43')
  const salaries = sheet([['Name'], ['yak']], 'Salaries')
  await one.put('c.xlsx', { ...salaries, parts: salaries.parts.map((part) => ({ ...part, isHidden: true })) })
  expect([...matches, ...(await one.find('yak')).matches].map(({ isHidden }) => isHidden)).toEqual([undefined, true])
  expect((await one.find('43')).matches.map(({ cells }) => cells)).toEqual(['A45'])
  expect((await one.find('61')).matches).toEqual([])
  const both = await one.find('"Item 41" zebra')
  expect(both.matches[0]?.cells).toBe('43:43')
})
