/** Masks texts, but not the names of properties. */
export function maskAll<Value>(value: Value, mask: (text: string) => string): Value {
  // Each kind of value keeps its kind.
  if (typeof value === 'string') return mask(value) as Value
  if (Array.isArray(value)) return value.map((inner) => maskAll(inner, mask)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskAll(inner, mask)])) as Value
}
