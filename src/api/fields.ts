import { z } from 'zod'

export const schemaOf = (type: z.ZodType): z.core.JSONSchema.JSONSchema => z.toJSONSchema(type, { io: 'input' })

export const fieldsOf = (type: z.ZodType | undefined) =>
  type === undefined ? [] : Object.entries(schemaOf(type).properties ?? {})

/** The names that it takes; undefined if it may take others, too. A plug-in needn't be in TypeScript. */
export function namesTaken(type: z.ZodType | undefined): string[] | undefined {
  if (type === undefined) return []
  try {
    const { type: kind, properties = {}, additionalProperties } = schemaOf(type)
    return kind === 'object' && !additionalProperties ? Object.keys(properties) : undefined
  } catch {
    return undefined
  }
}
