/** Milliseconds since 1970. Passed in, so that tests control the time. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
