import { rowsIn } from '../../tests/support/rows.ts'
import { tokensOf } from './provider.ts'

export interface Tokens {
  input: number
  cached: number
  output: number
}

interface Row {
  role: 'user' | 'assistant' | 'tool'
  text: string
  calls: string | null
}

/**
 * What the same session would have cost with a naive prompt: everything is sent each time, without pruning; when the
 * model can't read more, the oldest messages are left out. The time to the second and the reminders stand at the end of
 * the system prompt, so only what is before them can be cached. It needs no searches, so these are left out.
 */
export function naiveTokens(database: string, fixed: number, limit: number): Tokens & { requests: number } {
  const rows = rowsIn<Row>(database, 'select role, text, calls from messages order by seq')
  const sizes: number[] = []
  const total = { input: 0, cached: 0, output: 0, requests: 0 }
  let first = 0
  let sum = fixed
  let skipped = false
  for (const { role, text, calls } of rows) {
    const isSearch = calls?.includes('read_history') ?? false
    const size = tokensOf([role, text, calls ?? ''].join('\n'))
    if (role === 'assistant' && !isSearch) {
      while (sum > limit && first < sizes.length - 1) sum -= sizes[first++] ?? 0
      total.input += sum
      total.cached += fixed
      total.output += size
      total.requests++
    }
    if (!isSearch && !(role === 'tool' && skipped)) {
      sizes.push(size)
      sum += size
    }
    skipped = isSearch || (role === 'tool' && skipped)
  }
  return total
}
