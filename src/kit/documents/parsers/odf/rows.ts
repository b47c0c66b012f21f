import { elementsOf, type XmlElement } from '../../xml.ts'

/** Rows of a table, including those of its header and of groups. */
export function* rowsOf(table: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(table)) {
    if (child.name === 'table:table-row') yield child
    else if (/^table:table-(header-rows|rows|row-group)$/.test(child.name)) yield* rowsOf(child)
  }
}

/** Columns of a table, including those of its header and of groups. */
export function* columnsOf(table: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(table)) {
    if (child.name === 'table:table-column') yield child
    else if (/^table:table-(header-columns|columns|column-group)$/.test(child.name)) yield* columnsOf(child)
  }
}

/** Of a row or a column: hidden by hand, or by a filter. */
export const isCollapsed = ({ attributes }: XmlElement): boolean =>
  /^(collapse|filter)$/.test(attributes.get('table:visibility') ?? '')

export const cellsOf = (row: XmlElement): XmlElement[] => [
  ...elementsOf(row).filter(({ name }) => name === 'table:table-cell' || name === 'table:covered-table-cell'),
]
