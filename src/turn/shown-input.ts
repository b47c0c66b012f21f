import { inputOf, type ToolCall } from '../domain/messages.ts'
import type { Json } from '../kit/json.ts'
import { visible } from '../kit/text/text.ts'

/** What a call was given, as screens and events show it: for many eyes, so without the password of a document. */
export function shownInput(call: Pick<ToolCall, 'arguments'>): Json {
  const input = inputOf(call)
  const hasPassword = input !== null && typeof input === 'object' && !Array.isArray(input) && 'password' in input
  return hasPassword ? { ...input, password: '…' } : input
}

/** As a person decides on it: what could deceive the eye stands as its number. */
export function plainInput(input: Json): Json {
  if (typeof input === 'string') return visible(input)
  if (Array.isArray(input)) return input.map(plainInput)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, plainInput(value)]))
}
