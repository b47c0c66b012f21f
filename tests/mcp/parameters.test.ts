import { expect, test } from 'vitest'
import { learn } from '../../src/capabilities/mcp/catalog.ts'
import { serverEntry } from '../../src/capabilities/mcp/settings.ts'
import { toolsOf } from '../../src/capabilities/mcp/tools/tools.ts'
import type { JsonObject } from '../../src/kit/json.ts'

/** The parameters of a tool as models get them. */
function shownTo(parameters: JsonObject): unknown {
  const listed = [{ name: 'look', description: '', parameters, destructive: false }]
  const known = learn(undefined, 'i', listed, { tools: 10, bytes: 100_000 })
  const limits = { definitionBytes: 32_768 } as Parameters<typeof toolsOf>[3]
  return toolsOf('s', serverEntry.parse({ url: 'https://a.example' }), known, limits)[0]?.parameters
}

const text = { type: 'string' }
const properties = { city: text }

test.each<[string, given: JsonObject, shown: JsonObject]>([
  ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
  ['properties that are a list', { type: 'object', properties: [] }, { type: 'object', properties: {} }],
  ['null for no required ones', { properties, required: null }, { type: 'object', properties }],
  ['properties that may be anything', { properties: { data: true } }, { type: 'object', properties: { data: {} } }],
  [
    'forms that require one or the other',
    { type: 'object', properties, anyOf: [{ required: ['city'] }, { required: [] }], not: {}, enum: [] },
    { type: 'object', properties },
  ],
  [
    'forms with properties of their own',
    { type: 'object', oneOf: [{ properties: { id: text } }, { properties: { name: text } }], allOf: [{ properties }] },
    { type: 'object', properties: { city: text, id: text, name: text } },
  ],
])('models’ APIs refuse a whole request over %s, so that isn’t sent', (_, given, shown) => {
  expect(shownTo(given)).toEqual(shown)
})

test('parameters that every API takes are sent as they are written', () => {
  const usual = {
    properties: { city: { anyOf: [text, { type: 'null' }] } },
    $defs: {},
    type: 'object',
    required: ['city'],
  }
  expect(JSON.stringify(shownTo(usual))).toBe(JSON.stringify(usual))
})
