import type { z } from 'zod'

/** A JSON text of ours, if it is still valid. */
export function readJson<T extends z.ZodType>(text: string | undefined, schema: T): z.output<T> | undefined {
  if (text === undefined) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
