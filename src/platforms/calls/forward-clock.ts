import type { Clock } from '../../kit/clock.ts'

/** The same clock, except that it stands still for a moment when somebody sets it back. */
export function forwardOnly(clock: Clock): Clock {
  let last = clock.now()
  let behind = 0
  return {
    now() {
      const now = clock.now()
      behind += Math.max(0, last - now)
      last = now
      return now + behind
    },
  }
}
