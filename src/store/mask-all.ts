/** Names of things stay as they are: only what stands in them is masked. */
export function maskAll<Value>(value: Value, mask: (text: string) => string): Value {
  // Each kind of value becomes the same kind of value.
  if (typeof value === 'string') return mask(value) as Value
  if (Array.isArray(value)) return value.map((inner) => maskAll(inner, mask)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskAll(inner, mask)])) as Value
}
