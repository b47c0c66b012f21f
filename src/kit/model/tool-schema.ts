import { z } from 'zod'
import type { JsonObject } from '../json.ts'

/** Limits that are checked anyway, and whose errors say what is wrong: in each request they would only cost tokens. */
const limits = [
  'additionalProperties',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'pattern',
  '$schema',
] as const

/**
 * How a model is shown an input: not at all because another tool or an error tells of it, or without what is in its
 * items.
 */
declare module 'zod' {
  interface GlobalMeta {
    shown?: 'elsewhere' | 'plain'
  }
}

type Schema = z.core.JSONSchema.JSONSchema

const known = new WeakMap<z.ZodType, JsonObject>()

/** The JSON schema of a tool's input as a model is shown it, in as few words as will do. Made once for each input. */
export function toolSchema(input: z.ZodType): JsonObject {
  // zod's own type of a JSON schema is wider than JSON.
  const schema = known.get(input) ?? (shortened(z.toJSONSchema(input, { io: 'input' })) as JsonObject)
  known.set(input, schema)
  return schema
}

function shortened(whole: Schema): Schema {
  const { anyOf, shown, ...rest } = whole
  // Where an input takes several forms, the last is shown: the others are mistakes that are forgiven.
  const form = anyOf?.at(-1)
  const schema: Schema = { ...(typeof form === 'object' && form), ...rest }
  for (const key of limits) delete schema[key]
  if (saysNothing(schema.default)) delete schema.default
  const { properties, items } = schema
  if (properties !== undefined) {
    const own = Object.entries(properties).filter(([, one]) => typeof one === 'object' && one.shown !== 'elsewhere')
    schema.properties = Object.fromEntries(own.map(([name, one]) => [name, shortened(one as Schema)]))
  }
  if (shown === 'plain') schema.items = { type: 'object' }
  else if (typeof items === 'object' && !Array.isArray(items)) schema.items = shortened(items)
  return schema
}

/** What anybody would take for the default. */
const saysNothing = (value: unknown): boolean =>
  value === false || value === '.' || (Array.isArray(value) && value.length === 0)
