import { readFileSync } from 'node:fs'
import { read, type WorkBook, write } from '@e965/xlsx'
import { beforeAll, expect, test } from 'vitest'
import type { DocumentPart } from '../../../src/kit/documents/document.ts'
import { parseFile } from '../../../src/kit/documents/parse-file.ts'
import { workbook } from '../xlsx/make.ts'
import { limits, parse } from './make.ts'

/** Saved as .xls by LibreOffice, the second with the password "sesame". */
const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/office/${name}`, import.meta.url))

/** The same sheets as .xlsx. */
const twin = (): Promise<Buffer> =>
  workbook((made) => {
    const sheet = made.addWorksheet('Costs')
    sheet.addRow(['Team', 'Größe', 'Since', 'Share', 'Open'])
    sheet.addRow(['Sales', 1234.5, new Date(Date.UTC(2021, 6, 4)), 0.125, true, 'kept'])
    sheet.addRow(['Größe | 東京', -3, new Date(Date.UTC(1999, 11, 31)), 1, false])
    sheet.addRow(['Sum', { formula: 'SUM(B2:B3)', result: 1231.5 }])
    sheet.getCell('A5').value = { error: '#DIV/0!' }
    sheet.getCell('A6').value = 'Merged head'
    sheet.mergeCells('A6:C6')
    sheet.getCell('A7').value = 'in a hidden row'
    sheet.getRow(7).hidden = true
    sheet.getCell('D7').value = { text: 'site', hyperlink: 'https://example.org/a' }
    sheet.getCell('E7').value = new Date(Date.UTC(2024, 0, 2, 13, 45))
    sheet.getCell('E7').numFmt = 'd mmm yyyy h:mm'
    for (const cell of ['B2', 'B3', 'B4']) sheet.getCell(cell).numFmt = '#,##0.00 "€"'
    for (const cell of ['C2', 'C3']) sheet.getCell(cell).numFmt = 'yyyy-mm-dd'
    for (const cell of ['D2', 'D3']) sheet.getCell(cell).numFmt = '0.0%'
    sheet.getCell('B2').note = 'Is this right?'
    sheet.getColumn(6).hidden = true
    made.addWorksheet('Secret', { state: 'hidden' }).getCell('C2').value = 'hidden words'
    made.definedNames.add('Costs!$B$2:$B$3', 'Amounts')
  })

let same: Awaited<ReturnType<typeof parseFile>>
let sheets: WorkBook
beforeAll(async () => {
  const bytes = await twin()
  same = await parse(parseFile, bytes, 'a.xlsx')
  sheets = read(bytes, { cellNF: true, cellStyles: true })
})

const rewritten = (bookType: 'biff8' | 'xlsb'): Buffer => write(sheets, { bookType, type: 'buffer' })

test('an old workbook shows its sheets, cells, notes and comments as its .xlsx twin does', async () => {
  const { kind, notes, parts } = await parse(parseFile, fixture('costs.xls'), 'costs.xls')
  expect(kind).toBe('xlsx')
  expect(notes).toEqual(same.notes)
  const shown = ({ name, isHidden, text }: DocumentPart) => ({ name, isHidden, text })
  expect(parts.map(shown)).toEqual(same.parts.map(shown))
  expect(parts.map(({ isHidden }) => isHidden)).toEqual([undefined, true])
  expect(parts[0]?.formulas).toContain('B4: =SUM(B2:B3)')
})

test('a binary workbook does, too', async () => {
  const { notes, parts } = await parse(parseFile, rewritten('xlsb'), 'costs.xlsb')
  expect(notes).toEqual(same.notes)
  expect(parts.map(({ text }) => text)).toEqual(same.parts.map(({ text }) => text))
})

test('what a binary workbook unpacks is counted before it is unpacked', async () => {
  await expect(
    parseFile({ name: 'a.xlsb', bytes: rewritten('xlsb') }, { ...limits, unpackedBytes: 2000 }),
  ).rejects.toMatchObject({ code: 'too_complex' })
})

test('a protected old workbook is read with its password, which is asked for if missing', async () => {
  const secret = fixture('protected.xls')
  await expect(parse(parseFile, secret)).rejects.toMatchObject({ code: 'password_needed' })
  await expect(parse(parseFile, secret, 'a', 'wrong')).rejects.toMatchObject({ code: 'password_wrong' })
  expect((await parse(parseFile, secret, 'a', 'sesame')).parts[0]?.text).toBe(same.parts[0]?.text)
})

test('one that is cut is damaged, one that is too long ends with a note', async () => {
  const file = fixture('costs.xls')
  for (const end of [600, 1500, 3000]) {
    await expect(parse(parseFile, file.subarray(0, end))).rejects.toMatchObject({ code: 'damaged' })
  }
  const { notes, parts } = await parseFile({ name: 'a.xls', bytes: file }, { ...limits, textCharacters: 100 })
  expect(parts[0]?.text.length).toBeLessThanOrEqual(100)
  expect(notes.at(-1)).toMatch(/was left out\.$/)
})
