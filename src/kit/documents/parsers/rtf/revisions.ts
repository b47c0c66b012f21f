import { dayOf } from '../doc/day.ts'
import { changeText } from '../docx/changes.ts'

/** What somebody did to a text while changes were tracked. */
export interface Revision {
  isOn: boolean
  /** In the table of authors. */
  author?: number | undefined
  /** As Word stores it. */
  date?: number | undefined
}

const none: Revision = { isOn: false }

/** Of the table of authors, in characters. */
const longestTable = 100_000

/** Who changed what, and when. */
export class Revisions {
  #table = ''

  /** Names, each with a semicolon behind it. */
  authors(text: string): void {
    if (this.#table.length < longestTable) this.#table += text
  }

  /** `deleted by Ana Lee, 2026-03-02` */
  text(kind: 'deleted' | 'inserted', { author, date }: Revision): string {
    const name = author === undefined ? '' : (this.#table.split(';')[author] ?? '').trim()
    return changeText(kind, name, date === undefined ? undefined : dayOf(date))
  }
}

export interface Revised {
  deleted: Revision
  inserted: Revision
}

export const unrevised: Revised = { deleted: none, inserted: none }

/** What a control word makes of a text's changes; undefined: it is about something else. */
export function revisedBy(
  { deleted, inserted }: Revised,
  word: string,
  value: number | undefined,
): Revised | undefined {
  if (word === 'deleted') return { deleted: { ...deleted, isOn: value !== 0 }, inserted }
  if (word === 'revised') return { deleted, inserted: { ...inserted, isOn: value !== 0 } }
  if (word === 'revauthdel') return { deleted: { ...deleted, author: value }, inserted }
  if (word === 'revdttmdel') return { deleted: { ...deleted, date: value }, inserted }
  if (word === 'revauth') return { deleted, inserted: { ...inserted, author: value } }
  if (word === 'revdttm') return { deleted, inserted: { ...inserted, date: value } }
  return undefined
}
