import { z } from 'zod'
import {
  approvalBody,
  callsQuery,
  chatBody,
  conversationsQuery,
  eventsQuery,
  ignoredQuery,
  personBody,
  previewQuery,
  questionBody,
  requestsQuery,
  streamQuery,
} from './schemas.ts'

interface Operation {
  path: string
  method: 'get' | 'post'
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  multipart?: boolean
  answers: Record<number, string>
  streams?: boolean
}

const conversation = '/agent/conversations/{id}'
const notFound = { 404: 'There is no such thing' }

/** Every operation of the interface; a test holds it against the routes. */
export const operations: Operation[] = [
  {
    path: '/agent/chat',
    method: 'post',
    summary: 'Sends a message, with files if multipart; answers with its events until the turn ends or waits',
    body: chatBody,
    multipart: true,
    streams: true,
    answers: {
      200: 'Events',
      400: 'Not valid',
      404: 'There is no such conversation',
      409: 'The conversation is on another platform',
      413: 'Too large',
    },
  },
  {
    path: '/agent/conversations',
    method: 'get',
    summary: 'The latest conversations',
    query: conversationsQuery,
    answers: { 200: 'conversations' },
  },
  {
    path: '/agent/projects',
    method: 'get',
    summary: 'The channels of all platforms in which there are conversations',
    answers: { 200: 'projects' },
  },
  { path: conversation, method: 'get', summary: 'One conversation', answers: { 200: 'The conversation', ...notFound } },
  {
    path: `${conversation}/events`,
    method: 'get',
    summary: 'Stored events from a number on, inclusive',
    query: eventsQuery,
    answers: { 200: 'events, has_more', ...notFound },
  },
  {
    path: `${conversation}/stream`,
    method: 'get',
    summary: 'Events as they come, after Last-Event-ID (or last_event_id), exclusive',
    query: streamQuery,
    streams: true,
    answers: { 200: 'Events', ...notFound },
  },
  {
    path: `${conversation}/execution-status`,
    method: 'get',
    summary: 'Whether a turn runs',
    answers: { 200: 'is_running, state, last_sequence, current_message', ...notFound },
  },
  {
    path: `${conversation}/tool-executions`,
    method: 'get',
    summary: 'Tool calls',
    query: callsQuery,
    answers: { 200: 'tool_executions', ...notFound },
  },
  {
    path: `${conversation}/files`,
    method: 'get',
    summary: 'Files of the workspace, and what the latest turns changed of them',
    answers: { 200: 'files (each with changed_in, the turn that changed it last), turns', ...notFound },
  },
  {
    path: `${conversation}/files/{path}`,
    method: 'get',
    summary: 'Downloads a file',
    answers: { 200: 'The bytes, as an attachment', ...notFound },
  },
  {
    path: `${conversation}/preview/{path}`,
    method: 'get',
    summary: 'What a file looks like, bounded in size',
    query: previewQuery,
    answers: {
      200: 'path, type, size, modified_at, kind (text, table, pages, image, none), and what that kind shows',
      400: 'It cannot be read: damaged, protected, too complex',
      ...notFound,
    },
  },
  {
    path: `${conversation}/stop`,
    method: 'post',
    summary: 'Stops the running turn at once',
    body: personBody,
    answers: { 200: 'stopped: whether one ran', ...notFound },
  },
  {
    path: `${conversation}/resume`,
    method: 'post',
    summary: 'Goes on with an interrupted turn',
    body: personBody,
    answers: { 202: 'It goes on', 404: 'Nothing to resume', 409: 'It waits for a person' },
  },
  {
    path: '/requests',
    method: 'get',
    summary: 'Approvals and questions',
    query: requestsQuery,
    answers: { 200: 'requests' },
  },
  {
    path: '/requests/{id}/answer',
    method: 'post',
    summary: 'Answers an approval or a question, once',
    body: z.union([approvalBody, questionBody]),
    answers: {
      200: 'request',
      400: 'Not valid',
      403: 'Not yours to decide',
      404: 'There is no such request',
      409: 'It was answered already',
    },
  },
  {
    path: '/ignored',
    method: 'get',
    summary: 'Messages that were not answered, and why: the latest, or one by its id or link',
    query: ignoredQuery,
    answers: { 200: 'ignored' },
  },
  {
    path: '/about',
    method: 'get',
    summary: 'Name, version, model, projects, session commands',
    answers: { 200: 'The bot' },
  },
]

/** The OpenAPI 3.1 document. */
export function openApiDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations)
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
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  timestamp: z.iso.datetime(),
  conversation_id: z.string(),
  event_id: z.int(),
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
