import { z } from 'zod'
import { Failure, reasonOf } from '../kit/failure.ts'
import type { Operation } from '../turn/port/operation.ts'
import { eventTypes } from './event-types.ts'
import { fieldsOf, schemaOf } from './fields.ts'
import { operations } from './operations.ts'
import { apiWords } from './words.ts'

/**
 * The OpenAPI 3.1 document, with the operations that capabilities add. One that can't be described is reported and left
 * out.
 */
export function openApiDocument(
  version: string,
  ofCapabilities: readonly Operation[],
  report: (thrown: unknown) => void,
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of [...operations, ...ofCapabilities]) {
    const { path, method } = operation
    try {
      paths[path] = { [method]: describe(operation), ...paths[path] }
    } catch (thrown) {
      const fact = apiWords.notDescribed({ method: method.toUpperCase(), path, reason: reasonOf(thrown) })
      report(new Failure('bad_plugin', fact, apiWords.correctPlugin(), { cause: thrown }))
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Bobbin', version },
    servers: [{ url: '/api/v1' }],
    // Without a token only on this machine.
    security: [{ token: [] }, {}],
    paths,
    components: {
      schemas: { Error: z.toJSONSchema(errorShape), Event: z.toJSONSchema(eventShape) },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
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

const json = 'application/json'

function describe(operation: Operation): object {
  const { path, summary, query, headers, answers } = operation
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const content = bodyOf(operation)
  const responses = Object.entries({ ...failuresOf(operation), ...answers })
  return {
    summary,
    parameters: [...inPath, ...parametersIn('query', query), ...parametersIn('header', headers)],
    ...(content ? { requestBody: { content } } : {}),
    responses: Object.fromEntries(
      responses.map(([status, description]) => [status, response(Number(status), description, operation)]),
    ),
  }
}

function bodyOf({ body, multipart, takes }: Operation): object | undefined {
  if (body === undefined) return takes && Object.fromEntries(takes.map((type) => [type, {}]))
  const schema = schemaOf(body)
  return { [json]: { schema }, ...(multipart && { 'multipart/form-data': { schema: withFiles(schema) } }) }
}

const withFiles = (schema: z.core.JSONSchema.JSONSchema) => ({
  ...schema,
  properties: { ...schema.properties, files: { type: 'array', items: { type: 'string', format: 'binary' } } },
})

function parametersIn(place: 'query' | 'header', type: z.ZodObject | undefined): object[] {
  return fieldsOf(type).map(([name, schema]) => ({ name, in: place, schema }))
}

/** What any request of this kind may be answered with. */
function failuresOf({ body, takes }: Operation): Operation['answers'] {
  const hasBody = body !== undefined || takes !== undefined
  const failures: Operation['answers'] = {
    400: apiWords.notValid(),
    401: apiWords.needsToken(),
    403: apiWords.fromElsewhere(),
    429: apiWords.wrongTokens(),
  }
  if (hasBody) failures[413] = apiWords.tooLarge()
  return failures
}

function response(status: number, description: string, { sends = [json], answerHeaders }: Operation): object {
  if (status >= 400) return { description, content: { [json]: { schema: { $ref: '#/components/schemas/Error' } } } }
  if (status === 204) return { description }
  const headers = Object.fromEntries(fieldsOf(answerHeaders).map(([name, schema]) => [name, { schema }]))
  return { description, content: Object.fromEntries(sends.map((type) => [type, {}])), headers }
}
