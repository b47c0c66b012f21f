/** A stream of numbers between 0 and 1; the same seed and names give the same stream. */
export type Random = () => number

export function randomOf(...names: (string | number)[]): Random {
  let state = hash(names.join('/'))
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

export const chance = (random: Random, share: number): boolean => random() < share

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[between(random, 0, values.length - 1)]
  if (value === undefined) throw new Error('there is nothing to pick from')
  return value
}

/** FNV-1a, which is short and gives very different results for names that differ in one digit. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value
}
