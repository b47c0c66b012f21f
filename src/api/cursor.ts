import { ApiError } from './errors.ts'
import { apiWords } from './words.ts'

/** A place in a list that is sorted by time: right behind what stood there. */
export interface Place {
  at: number
  id: string
}

/** A page of rows of which one more than its `limit` was read, and where the next page begins. */
export function paged<Row>(rows: Row[], limit: number, placeOf: (row: Row) => Place) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (last === undefined || rows.length <= limit) return { page, next_cursor: null }
  const { at, id } = placeOf(last)
  return { page, next_cursor: `${at}.${id}` }
}

export function placeAt(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, at, id] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw unknownCursor()
  return { at: Number(at), id }
}

export const unknownCursor = (): ApiError =>
  new ApiError(400, 'invalid', apiWords.unknownCursor(), 'Send `next_cursor` of the page before.')
