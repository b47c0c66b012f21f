export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

/** Deeper than any tool's arguments, but still safe to parse and print. */
export const deepest = 100

/** Parses a JSON text. Throws SyntaxError, also if it is nested too deeply. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json
  for (const { depth } of levelsOf(value))
    if (depth > deepest) throw new SyntaxError(`it is nested deeper than ${deepest} levels`)
  return value
}

/** How many values lie at each depth, from the outside. */
export function* levelsOf(value: Json): Generator<{ depth: number; values: number }> {
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    yield { depth, values: level.length }
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
}
