import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

interface Schema {
  [key: string]: unknown
}

export interface Operation {
  operationId: string
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}

export interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const file = resolve(import.meta.dirname, '../../../fixtures/discord-openapi.json')

export const integerText = '^-?\\d{1,20}$'

/** Discord's description, adjusted to mean what its README says it means. */
export function readDescription(): Description {
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as Description
  const adapted = Object.entries(components.schemas).map(([name, schema]) => {
    return [name, adapt(schema, components.schemas, !name.endsWith('Response')) as Schema]
  })
  return {
    paths: adapt(paths, components.schemas, false) as Description['paths'],
    components: { schemas: Object.fromEntries(adapted) },
  }
}

type Schemas = Description['components']['schemas']

/**
 * A union's form is chosen by `type` where every form has one; otherwise an error would list them all.
 * Integers in requests may be strings that read as one.
 */
function adapt(node: unknown, schemas: Schemas, integersAsStrings: boolean): unknown {
  if (Array.isArray(node)) return node.map((one) => adapt(one, schemas, integersAsStrings))
  if (typeof node !== 'object' || node === null) return node
  const { oneOf, anyOf, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, adapt(value, schemas, integersAsStrings)]),
  ) as Schema
  const forms = (oneOf ?? anyOf) as Schema[] | undefined
  if (Array.isArray(forms)) return { ...rest, ...union(forms, schemas) }
  const isPlainInteger = [rest.type].flat().includes('integer') && rest.enum === undefined
  if (!integersAsStrings || !isPlainInteger) return rest
  return { anyOf: [rest, { type: 'string', pattern: integerText }] }
}

function union(forms: Schema[], schemas: Schemas): Schema {
  if (forms.every((form) => 'const' in form)) return { enum: forms.map((form) => form.const) }
  const named = forms.map((form) => schemas[String(form.$ref).replace('#/components/schemas/', '')])
  const tagged = named.every((schema) => {
    const properties = schema?.properties as Record<string, Schema> | undefined
    return Array.isArray(properties?.type?.enum) && (schema?.required as string[] | undefined)?.includes('type')
  })
  if (!tagged) return { anyOf: forms }
  const tags = named.map(
    (schema) => (schema?.properties as Record<string, { enum: unknown[] }> | undefined)?.type?.enum ?? [],
  )
  return {
    type: 'object',
    required: ['type'],
    properties: { type: { enum: tags.flat() } },
    allOf: forms.map((form, index) => ({
      if: { type: 'object', required: ['type'], properties: { type: { enum: tags[index] } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: form,
    })),
  }
}
