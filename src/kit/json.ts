export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

/** Deeper than any tool's arguments, but still safe to parse and print. */
const deepest = 100

/** Parses a JSON text. Throws SyntaxError, also if it is nested too deeply. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new SyntaxError(`it is nested deeper than ${deepest} levels`)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return value
}
