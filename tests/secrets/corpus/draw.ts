/** The same numbers for the same seed, so that a corpus is the same in each run. */
export interface Draw {
  below(count: number): number
  of<T>(items: readonly T[]): T
  /** Characters of an alphabet. */
  text(alphabet: string, length: number): string
  hex(length: number): string
  base64(length: number): string
  base64url(length: number): string
  letters(length: number): string
  digits(length: number): string
  uuid(): string
}

const small = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const alphanumeric = small + small.toUpperCase() + digits

/** mulberry32 */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export function draws(seed: number): Draw {
  const next = numbers(seed)
  const below = (count: number) => Math.floor(next() * count)
  const of = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const text = (alphabet: string, length: number) => Array.from({ length }, () => of([...alphabet])).join('')
  const hex = (length: number) => text('0123456789abcdef', length)
  return {
    below,
    of,
    text,
    hex,
    base64: (length) => text(`${alphanumeric}+/`, length),
    base64url: (length) => text(`${alphanumeric}-_`, length),
    letters: (length) => text(alphanumeric, length),
    digits: (length) => text(digits, length),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}
