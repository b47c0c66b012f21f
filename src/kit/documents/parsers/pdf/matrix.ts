export type Matrix = [number, number, number, number, number, number]

/** Applies `other` first, and then `one`. */
export function product(one: ArrayLike<number>, other: ArrayLike<number>): Matrix {
  const [a, b, c, d, e, f] = sixOf(one)
  const [g, h, i, j, k, l] = sixOf(other)
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

/** Missing numbers are zero. */
const sixOf = (numbers: ArrayLike<number>): Matrix => [
  numbers[0] ?? 0,
  numbers[1] ?? 0,
  numbers[2] ?? 0,
  numbers[3] ?? 0,
  numbers[4] ?? 0,
  numbers[5] ?? 0,
]
