import type { Price, Usage } from './model.ts'

/** What a call cost, in billionths of a US dollar, so that sums are exact. */
export function nanosOf({ input, output, cached, written = 0 }: Usage, price: Price): number {
  const fresh = Math.max(0, input - cached - written)
  const micros =
    fresh * price.input +
    cached * (price.cached ?? price.input) +
    written * (price.written ?? price.input) +
    output * price.output
  return Math.round(micros * 1000)
}

export const sumOf = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cached: one.cached + other.cached,
  written: (one.written ?? 0) + (other.written ?? 0),
  reasoning: (one.reasoning ?? 0) + (other.reasoning ?? 0),
})

/** What a million tokens cost: `$2.50`, `$0.075`. */
export const priceWords = (dollars: number): string =>
  `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`

export const dollarsOf = (nanos: number): number => nanos / 1e9

/** `$1.50`, `$0.02`, `$0.0042`, `$0`. */
export function dollarWords(nanos: number): string {
  const dollars = dollarsOf(nanos)
  if (dollars === 0) return '$0'
  if (dollars >= 0.1) return `$${dollars.toFixed(2)}`
  return dollars < 0.0001 ? 'less than $0.0001' : `$${dollars.toFixed(4).replace(/0{1,2}$/, '')}`
}
