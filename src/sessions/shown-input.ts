import type { Json } from '../domain/json.ts'
import { inputOf, type ToolCall } from '../domain/messages.ts'

/** What a call was given, as screens and events show it: for many eyes, so without the password of a document. */
export function shownInput(call: Pick<ToolCall, 'arguments'>): Json {
  const input = inputOf(call)
  const hasPassword = input !== null && typeof input === 'object' && !Array.isArray(input) && 'password' in input
  return hasPassword ? { ...input, password: '…' } : input
}
