import JSZip from 'jszip'
import { makePdf } from '../../tests/documents/pdf/make.ts'
import { type Random, randomFrom } from '../search/random.ts'

/** What is to be found in each file: at its beginning, and at its end. */
export const first = 'Aardvark'
export const last = 'Zyzzyva'

const names = ['Ana', 'Ben', 'Chloe', 'David', 'Emma', 'Farid', 'Grace', 'Hana', 'Ivan', 'Julia']
const nouns = 'order harbour crate invoice paper bridge letter window garden engine market summer copper signal'.split(
  ' ',
)

const sentence = (draw: Random, words: number): string =>
  Array.from({ length: words }, () => `${draw.one(nouns)}${draw.below(400)}`).join(' ')

const nameOf = (draw: Random, index: number, count: number): string =>
  index === 3 ? first : index === count - 1 ? last : `${draw.one(names)} ${draw.one(nouns)}`

/** Pages of 40 lines. */
export function madePdf(count: number): Uint8Array {
  const draw = randomFrom(1)
  const pages = Array.from({ length: count }, (_, page) => ({
    texts: Array.from({ length: 40 }, (_, line) => ({
      x: 60,
      y: 60 + line * 18,
      size: 10,
      text: line === 5 ? nameOf(draw, page, count) : sentence(draw, 8),
    })),
  }))
  return makePdf({ pages, isPacked: true })
}

/** About as many bytes. */
export function madeCsv(bytes: number): Buffer {
  const draw = randomFrom(2)
  const count = Math.ceil(bytes / 95)
  const rows = ['id,date,customer,city,quantity,price,comment']
  for (let index = 0; index < count; index++) {
    const date = `2024-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`
    const name = nameOf(draw, index, count)
    rows.push(
      `${index},${date},${name},City${draw.below(3000)},${draw.below(100)},${draw.below(9999)},"${sentence(draw, 5)}"`,
    )
  }
  return Buffer.from(rows.join('\n'))
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Ten columns: numbers, texts of their own and shared ones, and a formula. */
export function madeXlsx(count: number): Promise<Uint8Array> {
  const draw = randomFrom(3)
  const strings = new Map<string, number>()
  const rows = Array.from({ length: count }, (_, index) => {
    const row = index + 1
    const shared = (column: string, text: string) => {
      const number = strings.get(text) ?? strings.size
      strings.set(text, number)
      return `<c r="${column}${row}" t="s"><v>${number}</v></c>`
    }
    const number = (column: string, most: number) => `<c r="${column}${row}"><v>${draw.below(most)}</v></c>`
    const cells = [
      number('A', 1e6) + number('B', 50_000) + shared('C', nameOf(draw, index, count)),
      shared('D', `City${draw.below(3000)}`) + shared('E', `P-${draw.below(99_999)}`) + number('F', 100),
      `${number('G', 1000)}<c r="H${row}"><f>F${row}*G${row}</f><v>${draw.below(99_999)}</v></c>`,
      shared('I', sentence(draw, 5)) + shared('J', draw.one(['yes', 'no'])),
    ]
    return `<row r="${row}">${cells.join('')}</row>`
  })
  const zip = new JSZip()
    .file('[Content_Types].xml', '<Types/>')
    .file(
      '_rels/.rels',
      `<Relationships><Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    )
    .file(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Orders" sheetId="1" r:id="s"/></sheets></workbook>`,
    )
    .file(
      'xl/_rels/workbook.xml.rels',
      `<Relationships><Relationship Id="s" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    )
    .file(
      'xl/sharedStrings.xml',
      `<sst xmlns="${main}">${[...strings.keys()].map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    )
    .file('xl/worksheets/sheet1.xml', `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`)
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}
