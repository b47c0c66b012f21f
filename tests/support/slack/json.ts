/** JSON in payloads: checked when it comes in, and built by us when it goes out. */
export type Json = Record<string, unknown>

export interface Block extends Json {
  type: string
  block_id?: string
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBlock = (value: unknown): value is Block => isObject(value) && typeof value.type === 'string'

export const blocksOf = (value: unknown): Block[] => (Array.isArray(value) ? value.filter(isBlock) : [])

/** A field that is an object, or an empty one. */
export const objectAt = (value: Json | undefined, key: string): Json => {
  const found = value?.[key]
  return isObject(found) ? found : {}
}

/** A field that is a string, or an empty one. */
export const stringAt = (value: Json | undefined, key: string): string => {
  const found = value?.[key]
  return typeof found === 'string' ? found : ''
}

export const listAt = (value: Json | undefined, key: string): Json[] => {
  const found = value?.[key]
  return Array.isArray(found) ? found.filter(isObject) : []
}

/** Without the fields that are undefined, as JSON has it. */
export const compact = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
