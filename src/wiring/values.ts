export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const isFunction = (value: unknown): boolean => typeof value === 'function'

export const isSchema = (value: unknown): boolean => isObject(value) && isFunction(value.safeParse)
