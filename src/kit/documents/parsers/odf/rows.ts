import { elementsOf, type XmlElement } from '../../xml.ts'

/** Rows of a table, including those of its header and of groups. */
export function* rowsOf(table: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(table)) {
    if (child.name === 'table:table-row') yield child
    else if (/^table:table-(header-rows|rows|row-group)$/.test(child.name)) yield* rowsOf(child)
  }
}

export const cellsOf = (row: XmlElement): XmlElement[] => [
  ...elementsOf(row).filter(({ name }) => name === 'table:table-cell' || name === 'table:covered-table-cell'),
]
