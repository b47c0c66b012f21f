import { z } from 'zod'
import {
  approvalBody,
  auditQuery,
  callsQuery,
  chatBody,
  conversationsQuery,
  eventsQuery,
  grantsQuery,
  ignoredQuery,
  personBody,
  previewQuery,
  questionBody,
  requestsQuery,
  streamQuery,
  usageQuery,
} from './schemas.ts'

export interface Operation {
  path: string
  method: 'get' | 'post' | 'delete'
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  multipart?: boolean
  answers: Record<number, string>
  streams?: boolean
}

const conversation = '/agent/conversations/{id}'
const notFound = { 404: 'Not found' }

/** Every operation of the interface. A test compares them with the routes. */
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
      404: 'No such conversation',
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
    summary: 'The channels of all platforms that have conversations',
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
    summary:
      'Events as they come, after Last-Event-ID (or last_event_id), exclusive; then the text that is being streamed',
    query: streamQuery,
    streams: true,
    answers: { 200: 'Events', ...notFound },
  },
  {
    path: `${conversation}/context`,
    method: 'get',
    summary: 'What the next request to the model would be made of, in tokens',
    answers: { 200: 'parts, total, budget, picture, compressions', ...notFound },
  },
  {
    path: `${conversation}/execution-status`,
    method: 'get',
    summary: 'Whether a turn is running',
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
    summary: 'Files of the workspace, and what the latest turns changed',
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
    summary: 'A preview of a file, limited in size',
    query: previewQuery,
    answers: {
      200: 'path, type, size, modified_at, kind (text, table, pages, image, none), and what that kind shows',
      400: 'It can’t be read: damaged, protected or too complex',
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
    summary: 'Resumes an interrupted turn',
    body: personBody,
    answers: { 202: 'Resumed', 404: 'Nothing to resume', 409: 'Waiting for a person' },
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
      403: 'You may not decide this',
      404: 'No such request',
      409: 'Already answered',
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
    path: '/grants',
    method: 'get',
    summary: 'What runs without asking: all grants, or those in force in a conversation; newest first',
    query: grantsQuery,
    answers: { 200: 'grants', ...notFound },
  },
  {
    path: '/grants/{id}',
    method: 'delete',
    summary: 'Revokes a grant',
    body: personBody,
    answers: { 200: 'grant', 404: 'No such grant', 409: 'Already ended' },
  },
  {
    path: '/usage',
    method: 'get',
    summary: 'What calls of models with a known price have cost, by day, channel, person, model or tool',
    query: usageQuery,
    answers: { 200: 'usage, total_usd' },
  },
  {
    path: '/audit',
    method: 'get',
    summary: 'A page of the log in order: after an entry, before one, or the latest',
    query: auditQuery,
    answers: { 200: 'entries, has_more' },
  },
  {
    path: '/audit/verify',
    method: 'get',
    summary: 'Whether the log is intact: nothing missing, changed or moved',
    answers: { 200: 'ok with entries and head, the hash of the last; else seq, the first that is wrong, and why' },
  },
  {
    path: '/tools',
    method: 'get',
    summary: 'The bot’s tools; those of tier by_name are loaded into a thread when a person writes @name',
    answers: {
      200: 'tools: name, description, tier (core, always, by_name), category, tags, effect, and why, where it is unavailable',
    },
  },
  {
    path: '/about',
    method: 'get',
    summary: 'Name, version, model, projects, session commands',
    answers: { 200: 'The bot' },
  },
]
