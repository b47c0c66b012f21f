import type { Along, ToolCall } from '../domain/messages.ts'

type Calls = Along & { calls: ToolCall[] }

/** What goes back with all calls is stored with the first: a version that doesn't know it reads the calls as before. */
type StoredCall = ToolCall & Along

/**
 * The calls of a message as they are stored. What a model reasoned is masked. What its provider sent along can't be,
 * because it is only of use as it came; if there is a secret in it, it isn't kept.
 */
export function callsText({ calls, thought, model }: Calls, mask: <Value>(value: Value) => Value): string | null {
  const kept = calls.map(({ extra, ...call }) => (extra && isClean(extra, mask) ? { ...call, extra } : call))
  const [first, ...others] = kept
  if (first === undefined) return null
  const hasAlong = thought !== undefined || kept.some((call) => 'extra' in call)
  const along = hasAlong ? { ...(thought && { thought: mask(thought) }), model } : {}
  return JSON.stringify([{ ...first, ...along }, ...others] satisfies StoredCall[])
}

const isClean = <Value>(value: Value, mask: (value: Value) => Value): boolean =>
  JSON.stringify(mask(value)) === JSON.stringify(value)

export function callsIn(text: string | null): Calls {
  const [first, ...others]: StoredCall[] = text === null ? [] : JSON.parse(text)
  if (first === undefined) return { calls: [] }
  const { thought, model, ...call } = first
  return { calls: [call, ...others], ...(thought && { thought }), ...(model && { model }) }
}
