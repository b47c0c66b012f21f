import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js'
import type { Elicitation, FormField } from '../port.ts'

type Property = ElicitRequestFormParams['requestedSchema']['properties'][string]

/** A server's form. */
export function elicitationOf({ message, requestedSchema }: ElicitRequestFormParams): Elicitation {
  const required = requestedSchema.required ?? []
  const fields = Object.entries(requestedSchema.properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  )
  return { message, fields }
}

function fieldOf(name: string, property: Property, required: boolean): FormField {
  const words = [property.title ?? name, property.description].filter((one) => one !== undefined).join(': ')
  const { default: otherwise } = property
  const plain = { name, question: words, choices: [], required, ...(otherwise !== undefined && { otherwise }) }
  switch (property.type) {
    case 'boolean':
    case 'number':
    case 'integer':
      return { ...plain, kind: property.type }
    case 'array': {
      const { items } = property
      return { ...plain, kind: 'choices', choices: 'anyOf' in items ? titled(items.anyOf) : named(items.enum) }
    }
    default:
      if ('oneOf' in property) return { ...plain, kind: 'choice', choices: titled(property.oneOf) }
      if (!('enum' in property)) return { ...plain, kind: 'text' }
      return {
        ...plain,
        kind: 'choice',
        choices: named(property.enum, 'enumNames' in property ? property.enumNames : []),
      }
  }
}

const titled = (all: { const: string; title: string }[]): FormField['choices'] =>
  all.map((one) => ({ value: one.const, label: one.title }))

const named = (all: string[], names: string[] = []): FormField['choices'] =>
  all.map((value, place) => ({ value, label: names[place] ?? value }))
