import { descendants, elementsOf, textOf, within, type XmlElement } from '../../xml.ts'

/** What somebody did while changes were tracked: `deleted by Ana Lee, 2026-03-02`, and the text that is gone. */
export interface TrackedChange {
  what: string
  deleted: string
}

export type TrackedChanges = ReadonlyMap<string, TrackedChange>

const kinds = new Map([
  ['text:deletion', 'deleted'],
  ['text:insertion', 'inserted'],
])

const longestName = 100

/** By the ids that the text refers to. `linesOf` reads what was deleted. */
export function changesIn(body: XmlElement, linesOf: (change: XmlElement) => string[]): TrackedChanges {
  const changes = new Map<string, TrackedChange>()
  for (const region of descendants(body, 'text:changed-region')) {
    const id = region.attributes.get('text:id') ?? region.attributes.get('xml:id')
    const change = elementsOf(region).find(({ name }) => kinds.has(name))
    if (id === undefined || change === undefined) continue
    const about = within(change, 'office:change-info')
    const author = textOf(within(about, 'dc:creator'))
      .replace(/[\s[\]:]+/g, ' ')
      .trim()
    const day = /^\d{4}-\d\d-\d\d/.exec(textOf(within(about, 'dc:date')))?.[0]
    const by = author === '' ? '' : ` by ${author.slice(0, longestName).toWellFormed()}`
    changes.set(id, {
      what: `${kinds.get(change.name)}${by}${day === undefined ? '' : `, ${day}`}`,
      deleted: change.name === 'text:deletion' ? linesOf(change).join(' ') : '',
    })
  }
  return changes
}

/** What stands in place of a mark of a change. */
export function markOf({ name, attributes }: XmlElement, changes: TrackedChanges): string {
  const change = changes.get(attributes.get('text:change-id') ?? '')
  if (change === undefined) return ''
  if (name === 'text:change') return change.deleted === '' ? '' : `[${change.what}: ${change.deleted}]`
  return name === 'text:change-start' ? `[${change.what}: ` : ']'
}
