export const moveNoteName = 'store.move'

/**
 * How far a move has got, on each side: first `leaving` and `filling`, then `filled`, then `left`; at the end the
 * target has no note. A database with one isn't started, so the two never run at the same time.
 */
export interface MoveProgress {
  /** The same on both sides. */
  id: string
  state: 'leaving' | 'left' | 'filling' | 'filled'
  /** How people know the other one. */
  other: string
  at: number
}
