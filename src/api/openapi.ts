import { z } from 'zod'
import type { Operation } from '../turn/port/operation.ts'
import { eventTypes } from './event-types.ts'
import { operations } from './operations.ts'

/** The OpenAPI 3.1 document, with the operations that capabilities add. */
export function openApiDocument(version: string, ofCapabilities: readonly Operation[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of [...operations, ...ofCapabilities])
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) }
  return {
    openapi: '3.1.0',
    info: { title: 'Bobbin', version },
    servers: [{ url: '/api/v1' }],
    paths,
    components: { schemas: { Error: z.toJSONSchema(errorShape), Event: z.toJSONSchema(eventShape) } },
  }
}

const errorShape = z.object({ error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }) })

const eventShape = z.object({
  type: z.enum(eventTypes),
  data: z.record(z.string(), z.unknown()),
  timestamp: z.iso.datetime(),
  conversation_id: z.string(),
  event_id: z.int().optional().describe('Missing when the event isn’t stored: text_delta.'),
})

function describe({ path, summary, query, body, multipart, answers, streams }: Operation): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const schema = body && z.toJSONSchema(body, { io: 'input' })
  const content = schema && {
    'application/json': { schema },
    ...(multipart ? { 'multipart/form-data': { schema } } : {}),
  }
  return {
    summary,
    parameters: [...inPath, ...parametersOf(query)],
    ...(content ? { requestBody: { content } } : {}),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, description]) => [status, response(status, description, streams)]),
    ),
  }
}

function parametersOf(query: z.ZodObject | undefined): object[] {
  if (query === undefined) return []
  const { properties = {} } = z.toJSONSchema(query, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
}

function response(status: string, description: string, streams: boolean | undefined): object {
  const failed = Number(status) >= 400
  if (failed)
    return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  return { description, content: { [streams ? 'text/event-stream' : 'application/json']: {} } }
}
