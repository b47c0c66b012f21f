import type { z } from 'zod'

/** What was written as JSON once, if it still is what it should be. */
export function readJson<T extends z.ZodType>(text: string | undefined, schema: T): z.output<T> | undefined {
  if (text === undefined) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
