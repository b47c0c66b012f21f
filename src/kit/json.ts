export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

/** Deeper than any tool's arguments; so deep that reading and writing it again is safe. */
const deepest = 100

/** A JSON text as a value. Throws SyntaxError, also for one that is nested too deeply to be handled. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new SyntaxError(`it is nested deeper than ${deepest} levels`)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return value
}
