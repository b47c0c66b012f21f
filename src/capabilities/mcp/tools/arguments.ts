import type { JsonObject } from '../../../kit/json.ts'

/**
 * What is plainly wrong with arguments, so that nobody has to approve a call that the server would refuse. The server
 * checks the rest. Its schema may be nonsense, or made to be slow, so only names and types at the top are looked at.
 */
export function faultsOf(input: Record<string, unknown>, schema: JsonObject): string[] {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.filter((one) => typeof one === 'string') : []
  const missing = required.flatMap((name) => (Object.hasOwn(input, name) ? [] : [`${name} is missing`]))
  const wrong = Object.entries(input).flatMap(([name, value]) => {
    if (!Object.hasOwn(properties, name)) return schema.additionalProperties === false ? [`there is no ${name}`] : []
    const wanted = isObject(properties[name]) ? properties[name].type : undefined
    return typeof wanted === 'string' && !isA(value, wanted) ? [`${name} must be of type ${wanted}`] : []
  })
  return [...missing, ...wrong]
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isA(value: unknown, type: string): boolean {
  if (type === 'object') return isObject(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  // An unknown type says nothing.
  return !['string', 'number', 'boolean'].includes(type) || typeof value === type
}
