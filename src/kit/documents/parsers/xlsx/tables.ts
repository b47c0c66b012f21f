import { scanXml } from '../../scan-xml.ts'
import type { Package, Relation } from './workbook.ts'

const maxTables = 21

/** Tables that people made of cells: `Sales (A1:D20)`, in the file's order. */
export async function readTables(file: Package, relations: Iterable<Relation>): Promise<string[]> {
  const tables: string[] = []
  for (const { type, path } of relations) {
    if (type !== 'table' || tables.length >= maxTables) continue
    const xml = await file.read(path)
    scanXml(xml ?? Buffer.alloc(0), {
      open(name, attributes) {
        if (name !== 'table') return
        const shown = attributes.get('displayName') ?? attributes.get('name') ?? ''
        tables.push(`${shown.slice(0, 100)} (${(attributes.get('ref') ?? '?').slice(0, 30)})`)
      },
      close: () => false,
    })
  }
  return tables
}
