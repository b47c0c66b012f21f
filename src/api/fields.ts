import { z } from 'zod'

export const schemaOf = (type: z.ZodType): z.core.JSONSchema.JSONSchema => z.toJSONSchema(type, { io: 'input' })

export const fieldsOf = (type: z.ZodType | undefined) =>
  type === undefined ? [] : Object.entries(schemaOf(type).properties ?? {})

const known = new WeakMap<z.ZodType, string[] | 'any'>()

/** The names that it takes; undefined if it may take others, too. A plug-in needn't be in TypeScript. */
export function namesTaken(type: z.ZodType | undefined): string[] | undefined {
  if (type === undefined) return []
  try {
    const names = known.get(type) ?? namesIn(type)
    known.set(type, names)
    return names === 'any' ? undefined : names
  } catch {
    return undefined
  }
}

function namesIn(type: z.ZodType): string[] | 'any' {
  const { type: kind, properties = {}, additionalProperties } = schemaOf(type)
  return kind === 'object' && !additionalProperties ? Object.keys(properties) : 'any'
}
