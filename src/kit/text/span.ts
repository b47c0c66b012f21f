/** A part of a text, from `start` to before `end`, in UTF-16 units. */
export interface Span {
  start: number
  end: number
}
