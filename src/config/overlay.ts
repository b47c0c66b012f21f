export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges objects key by key; anything else from above replaces what is below. */
export function overlay(below: unknown, above: unknown): unknown {
  if (!isRecord(below) || !isRecord(above)) return above ?? below
  const keys = new Set([...Object.keys(below), ...Object.keys(above)])
  return Object.fromEntries([...keys].map((key) => [key, key in above ? overlay(below[key], above[key]) : below[key]]))
}
