/** Random numbers that depend only on the seed. */
export interface Random {
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number
  one<T>(list: readonly T[]): T
  /** This many items of a list, shuffled. */
  some<T>(list: readonly T[], count: number): T[]
}

/** Mulberry32: short, and good enough for texts. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    one: (list) => list[below(list.length)] as (typeof list)[number],
    some(list, count) {
      const rest = [...list]
      return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(below(rest.length), 1)).flat()
    },
  }
}
