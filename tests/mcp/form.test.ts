import { expect, test } from 'vitest'
import { elicitationOf } from '../../src/capabilities/mcp/sdk/form.ts'

const formOf = (field: object) =>
  elicitationOf({ message: 'Which?', requestedSchema: { type: 'object', properties: { a: field } } })

test.each([
  ['choices from nothing', { type: 'array' }],
  ['choices from an empty list', { type: 'array', items: { type: 'string', enum: [] } }],
  ['a choice from an empty list', { type: 'string', enum: [] }],
  ['a choice from an empty list of titles', { type: 'string', oneOf: [] }],
  ['a text that is a number by default', { type: 'string', default: 1 }],
  ['a number that is a text by default', { type: 'integer', default: 'one' }],
  ['choices that are a text by default', { type: 'array', items: { enum: ['x'] }, default: 'x' }],
])('a form that asks for %s is put to nobody', (_, field) => {
  expect(() => formOf(field)).toThrow(/properties/)
})

test.each<[{ default?: unknown; [name: string]: unknown }, string, string[]]>([
  [{ type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] }, default: ['x'] }, 'choices', ['X']],
  [{ type: 'array', items: { type: 'string', enum: ['x'] } }, 'choices', ['x']],
  [{ type: 'string', enum: ['x', 'y'], enumNames: ['X'], default: 'x' }, 'choice', ['X', 'y']],
  [{ type: 'string', oneOf: [{ const: 'x', title: 'X' }] }, 'choice', ['X']],
  [{ type: 'string', enum: null, default: null }, 'text', []],
  [{ type: 'integer', minimum: 1, default: 2 }, 'integer', []],
  [{ type: 'boolean', default: false }, 'boolean', []],
])('a field like %j is one', (field, kind, labels) => {
  const { fields } = formOf(field)
  expect(fields.map((one) => [one.kind, one.choices.map(({ label }) => label)])).toEqual([[kind, labels]])
  expect(fields[0]?.otherwise).toEqual(field.default ?? undefined)
})
