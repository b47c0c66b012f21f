import { inputOf, type ToolCall } from '../../domain/messages.ts'
import type { Json } from '../../kit/json.ts'
import { visible } from '../../kit/text/text.ts'

/** A call's input as screens and events show it. Many people see it, so without a document's password. */
export const shownInput = (call: Pick<ToolCall, 'arguments'>): Json => withoutPassword(inputOf(call))

export function withoutPassword(input: Json): Json {
  const hasPassword = input !== null && typeof input === 'object' && !Array.isArray(input) && 'password' in input
  return hasPassword ? { ...input, password: '…' } : input
}

/** No two names become the same, so no value gets lost. */
const plainKey = (name: string): string => visible(name.replaceAll('\\u{', '\\u{5c}u{'))

/** The input as a person decides on it. Characters that could mislead are shown as their numbers. */
export function plainInput(input: Json): Json {
  if (typeof input === 'string') return visible(input)
  if (Array.isArray(input)) return input.map(plainInput)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [plainKey(name), plainInput(value)]))
}
