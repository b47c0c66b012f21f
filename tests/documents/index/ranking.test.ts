import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { pages, scratch, sheet, testLibrary } from './library.ts'

const filler = 'Nothing of interest stands in this sentence. '

async function found(query: string, ...texts: string[]) {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  await one.put('a.pdf', pages(...texts))
  return (await one.find(query)).matches
}

test.each([
  ['6.5.6 东海物流', '第6.5.6条规定，东海物流的赔偿责任有限。', '第6.5.7条规定，东海物流的赔偿责任有限。', '**6.5.6**'],
  [
    'GW-5371/1',
    '製造番号GW-5371/1の保証期間は三か月です。',
    '製造番号GW-5371/2の保証期間は一か月です。',
    '**GW-5371/1**',
  ],
  ['1,250', '合計は1,250円です。', '合計は250円です。', '**1,250**'],
  ['4.2 PDF', '第4.2节说明PDF文件。', '第4.3节说明PDF文件。', '**4.2**'],
])('%s is found where it touches a script without spaces', async (query, text, other, marked) => {
  const [first] = await found(query, other, text)
  expect(first).toMatchObject({ number: 2 })
  expect(first?.passage).toContain(marked)
})

test('words that stand together come before the same words apart', async () => {
  const apart = `The falcon is grey. ${filler.repeat(5)}Many ask about Bristol. A question remains.`
  const together = `${filler.repeat(3)}A question about the falcon in Bristol. ${filler.repeat(3)}`
  expect((await found('question falcon Bristol', apart, together, apart)).map(({ number }) => number)[0]).toBe(2)
})

test('of a sheet, the row that has all of the words is shown', async () => {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const rows = Array.from({ length: 40 }, (_, index) => {
    const fact = ['The falcon is grey.', 'Bristol is wet.', 'A question remains.'][index % 3]
    const whole = 'A question about the falcon in Bristol.'
    return [`${index}`, `${filler.repeat(10)}${index === 25 ? whole : fact} ${filler.repeat(10)}`]
  })
  await one.put('b.xlsx', sheet([['Number', 'Text'], ...rows]))
  const [first] = (await one.find('question falcon Bristol')).matches
  expect(first?.cells).toBe('B27')
  expect(first?.passage).toContain('A **question** about the **falcon** in **Bristol**.')
})

test('a phrase in a script without spaces is found only as a whole', async () => {
  const matches = await found('"赔偿责任限额"', '赔偿责任。责任限额。', '公司的赔偿责任限额为一万元。', '限额责任赔偿')
  expect(matches.map(({ number }) => number)).toEqual([2])
})

test('an Arabic phrase may begin with a word that is joined to the one before it', async () => {
  const matches = await found(
    '"إنهاء العقد مع الشركة"',
    'الإشعار بإنهاء العقد مع الشركة ثلاثون يوما',
    'إنهاء مع العقد الشركة',
  )
  expect(matches.map(({ number }) => number)).toEqual([1])
})

test('what the database fails with is told as one error, with a remedy, and reported', async () => {
  const { room, file, reports } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const path = await one.put('a.pdf', pages('Some text.'))
  const signal = new AbortController().signal
  const other = new Sqlite(file)
  other.exec('DROP TABLE texts')
  other.close()
  await expect(one.open(path, { signal })).rejects.toMatchObject({
    code: 'index_failed',
    remedy: expect.stringContaining('operator'),
  })
  expect(reports).toHaveLength(1)
})
