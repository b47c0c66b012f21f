import { z } from 'zod'
import type { Elicitation, FormField } from '../port.ts'
import { each, words } from './checked.ts'

/** Of a form. People are asked for a few of them. */
const mostProperties = 100

const noChoices = 'offers no choices'

const names = z.array(z.string())
const values = names.min(1, noChoices).nullish()
const titles = z
  .array(z.object({ const: z.string(), title: z.string() }))
  .min(1, noChoices)
  .nullish()
const itemsSchema = z
  .object({ enum: values, anyOf: titles })
  .refine((items) => (items.enum ?? items.anyOf) != null, noChoices)
const said = { title: words, description: words }
const propertySchema = z.discriminatedUnion('type', [
  z.object({
    ...said,
    type: z.literal('string'),
    default: z.string().nullish(),
    enum: values,
    enumNames: names.nullish(),
    oneOf: titles,
  }),
  z.object({ ...said, type: z.enum(['number', 'integer']), default: z.number().nullish() }),
  z.object({ ...said, type: z.literal('boolean'), default: z.boolean().nullish() }),
  z.object({ ...said, type: z.literal('array'), default: names.nullish(), items: itemsSchema }),
])

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
  if (type === 'array') return { ...plain, kind: 'choices', choices: choicesOf(property.items) ?? [] }
  if (type !== 'string') return { ...plain, kind: type }
  const choices = choicesOf(property)
  return choices === undefined ? { ...plain, kind: 'text' } : { ...plain, kind: 'choice', choices }
}

type Of<Type extends Property['type']> = Extract<Property, { type: Type }>
type Offered = Partial<Pick<Of<'string'>, 'enum' | 'enumNames' | 'oneOf'>> & Partial<Of<'array'>['items']>

/** Undefined if any text will do. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Offered): FormField['choices'] | undefined {
  const titled = oneOf ?? anyOf
  if (titled != null) return titled.map((one) => ({ value: one.const, label: one.title }))
  return values?.map((value, place) => ({ value, label: enumNames?.[place] ?? value }))
}
