import { cellOf, maxColumns } from '../../cells.ts'
import { scanXmlPieces } from '../../scan-xml.ts'
import type { Relation } from './workbook.ts'

/** An address is stored once in a file, but may be shown at every cell. */
const addressCharacters = 500

/** One number for a position in a sheet. */
export const placeOf = ({ row, column }: { row: number; column: number }): number => row * (maxColumns + 1) + column

/**
 * Addresses behind the cells of a sheet, by `placeOf`. For a range only the first cell. `relations`: the external ones.
 */
export async function readLinks(
  pieces: () => AsyncIterable<Uint8Array>,
  relations: ReadonlyMap<string, Relation>,
): Promise<ReadonlyMap<number, string>> {
  const links = new Map<number, string>()
  if (![...relations.values()].some(({ type }) => type === 'hyperlink')) return links
  await scanXmlPieces(pieces(), {
    open(name, attributes) {
      if (name !== 'hyperlink') return
      const cell = cellOf((attributes.get('ref') ?? '').split(':', 1)[0] ?? '')
      const target = relations.get(attributes.get('id', true) ?? '')?.path.trim() ?? ''
      const location = attributes.get('location')
      const address = location && !target.includes('#') ? `${target}#${location}` : target
      if (cell !== undefined && isUsefulAddress(address)) links.set(placeOf(cell), address)
    },
    close: (name) => name !== 'hyperlinks',
  })
  return links
}

export const isUsefulAddress = (address: string): boolean =>
  address.length <= addressCharacters && /^(?:https?:\/\/|mailto:)\S+$/i.test(address)

/** `text (address)`, unless the text is the address. */
export function withAddress(text: string, address: string): string {
  const words = text.trim()
  const bare = address.replace(/^(https?:\/\/|mailto:)/i, '').replace(/\/$/, '')
  return words === '' || words === address || words === bare ? text : `${text} (${address})`
}
