import { z } from 'zod'
import type { Elicitation, FormField } from '../port.ts'
import { each, words } from './checked.ts'

/** Of a form. People are asked for a few of them. */
const mostProperties = 100

const names = z.array(z.string())
const titles = z.array(z.object({ const: z.string(), title: z.string() }))
const itemsSchema = z
  .object({ enum: names.nullish(), anyOf: titles.nullish() })
  .refine((items) => (items.enum ?? items.anyOf) != null, 'offers no choices')
const propertySchema = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  title: words,
  description: words,
  default: z.union([z.string(), z.number(), z.boolean(), names]).nullish(),
  enum: names.nullish(),
  enumNames: names.nullish(),
  oneOf: titles.nullish(),
  items: itemsSchema.nullish(),
})

type Property = z.infer<typeof propertySchema>

const formSchema = z.object({
  mode: z.literal('form').nullish(),
  message: z.string(),
  requestedSchema: z.object({
    type: z.literal('object'),
    properties: z
      .record(z.string(), z.unknown())
      .refine((given) => Object.keys(given).length <= mostProperties, `more than ${mostProperties}`),
    required: names.nullish(),
  }),
})

/** A server's form. Throws if it can't be read. */
export function elicitationOf(params: unknown): Elicitation {
  const { message, requestedSchema } = formSchema.parse(params)
  const required = requestedSchema.required ?? []
  const properties = each(propertySchema, Object.values(requestedSchema.properties), 'properties')
  const fields = Object.keys(requestedSchema.properties).map((name, place) =>
    fieldOf(name, properties[place] as Property, required.includes(name)),
  )
  return { message, fields }
}

function fieldOf(name: string, property: Property, required: boolean): FormField {
  const { type, title, description, default: otherwise } = property
  const question = [title ?? name, description].filter((one) => one !== undefined).join(': ')
  const plain = { name, question, choices: [], required, ...(otherwise != null && { otherwise }) }
  if (type === 'array') return { ...plain, kind: 'choices', choices: choicesOf(property.items ?? {}) ?? [] }
  if (type !== 'string') return { ...plain, kind: type }
  const choices = choicesOf(property)
  return choices === undefined ? { ...plain, kind: 'text' } : { ...plain, kind: 'choice', choices }
}

type Offered = Pick<Property, 'enum'> & Partial<Pick<Property, 'enumNames' | 'oneOf'>> & { anyOf?: Property['oneOf'] }

/** Undefined if any text will do. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Offered): FormField['choices'] | undefined {
  const titled = oneOf ?? anyOf
  if (titled != null) return titled.map((one) => ({ value: one.const, label: one.title }))
  return values?.map((value, place) => ({ value, label: enumNames?.[place] ?? value }))
}
