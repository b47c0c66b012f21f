import { z } from 'zod'

/** Of one list. What is beyond is left out. */
export const mostParts = 5_000

/** Some servers say null for what there isn't. */
export const words = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined)

/** A list whose parts `each` looks at. */
export const unchecked = z.custom<unknown[]>(Array.isArray, 'Invalid input: expected array')

/**
 * Stops at the first part that breaks the protocol. Zod would describe every one of them, in kilobytes for the two
 * bytes of a `{}`, and a server may send millions of these.
 */
export const each = <Part>(schema: z.ZodType<Part>, parts: unknown[], name: string): Part[] =>
  parts.map((part, place) => {
    const { data, error } = schema.safeParse(part)
    if (error === undefined) return data as Part
    throw new z.ZodRealError(error.issues.map((issue) => ({ ...issue, path: [name, place, ...issue.path] })))
  })
