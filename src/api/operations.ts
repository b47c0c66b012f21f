import { z } from 'zod'
import type { Operation } from '../turn/port/operation.ts'
import {
  approvalBody,
  auditQuery,
  callsQuery,
  chatBody,
  conversationsQuery,
  eventsQuery,
  exportQuery,
  feedbackBody,
  grantsQuery,
  ignoredQuery,
  longestKey,
  personBody,
  previewQuery,
  questionBody,
  requestsQuery,
  streamQuery,
  threadBody,
  usageQuery,
} from './schemas.ts'
import { apiWords } from './words.ts'

const conversation = '/agent/conversations/{id}'
const notFound = { 404: 'Not found' }

const ofJson = { 415: apiWords.notJson() }
const events = ['text/event-stream']

const talk = {
  headers: z.object({ 'Idempotency-Key': z.string().max(longestKey).optional().describe(apiWords.idempotencyKey()) }),
  body: chatBody,
  multipart: true,
  answers: {
    200: 'Events',
    404: 'No such conversation',
    409: 'The conversation is on another platform',
    ...ofJson,
  },
  sends: events,
  answerHeaders: z.object({ 'X-Conversation-Id': z.string() }),
}

/** Every operation of the interface. A test compares them with the routes. */
export const operations: Operation[] = [
  {
    path: '/agent/chat',
    method: 'post',
    summary: 'Sends a message, with files if multipart; answers with its events until the turn ends or waits',
    ...talk,
  },
  {
    path: '/agents/{name}/invoke',
    method: 'post',
    summary: apiWords.invokesAgent(),
    ...talk,
    answers: { ...talk.answers, 404: apiWords.agentOrThreadUnknown(), 409: apiWords.offOrElsewhere() },
  },
  {
    path: '/agent/conversations',
    method: 'get',
    summary: 'Conversations, pinned ones first, then the last used; with q, those with all of these words',
    query: conversationsQuery,
    answers: {
      200: 'conversations (with q, each with an excerpt), next_cursor (null on the last page)',
    },
  },
  {
    path: '/agent/projects',
    method: 'get',
    summary: 'The channels of all platforms that have conversations',
    answers: { 200: 'projects' },
  },
  { path: conversation, method: 'get', summary: 'One conversation', answers: { 200: 'The conversation', ...notFound } },
  {
    path: conversation,
    method: 'patch',
    summary: 'Renames, pins or archives it',
    body: threadBody,
    answers: { 200: 'The conversation', ...notFound, ...ofJson },
  },
  {
    path: conversation,
    method: 'delete',
    summary: 'Stops it, and deletes all that is known about it, with its files, for good',
    body: personBody,
    answers: { 200: 'deleted', ...notFound },
  },
  {
    path: `${conversation}/export`,
    method: 'get',
    summary: 'All of it: as Markdown, as JSON, or both with the files in a zip archive',
    query: exportQuery,
    answers: { 200: 'The file, as an attachment', ...notFound },
    sends: ['text/markdown', 'application/json', 'application/zip'],
  },
  {
    path: `${conversation}/events`,
    method: 'get',
    summary: 'Stored events from a number on, inclusive; a page ends after about 1 MB',
    query: eventsQuery,
    answers: { 200: 'events, has_more', ...notFound },
  },
  {
    path: `${conversation}/stream`,
    method: 'get',
    summary:
      'Events as they come, after Last-Event-ID (or last_event_id), exclusive; then the text that is being streamed',
    query: streamQuery,
    headers: z.object({ 'Last-Event-ID': z.string().optional().describe(apiWords.lastEventId()) }),
    sends: events,
    answers: { 200: 'Events', 409: 'Fewer events', ...notFound },
  },
  {
    path: `${conversation}/context`,
    method: 'get',
    summary: 'What the next request to the model would be made of, in tokens',
    answers: { 200: 'parts, total, budget, picture, compressions', ...notFound },
  },
  {
    path: `${conversation}/prompt`,
    method: 'get',
    summary: apiWords.readsPrompt(),
    answers: { 200: 'instructions, changes (message, text), tools', ...notFound },
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
    summary: 'Tool calls: the latest, in order; a page ends after about 1 MB',
    query: callsQuery,
    answers: { 200: 'tool_executions, has_more: whether there are earlier ones', ...notFound },
  },
  {
    path: `${conversation}/files`,
    method: 'get',
    summary: 'Files of the workspace, and what the latest turns changed',
    answers: {
      200: 'files (each with changed_in, the turn that changed it last), has_more, turns, has_more_turns',
      ...notFound,
    },
  },
  {
    path: `${conversation}/files/{path}`,
    method: 'get',
    summary: 'Downloads a file',
    answers: { 200: 'The bytes, as an attachment', ...notFound },
    sends: ['*/*'],
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
    path: `${conversation}/feedback`,
    method: 'post',
    summary: 'Says whether an answer is good or bad; the last word of each person counts',
    body: feedbackBody,
    answers: { 204: 'Stored', 404: 'No such conversation or answer', ...ofJson },
  },
  {
    path: '/requests',
    method: 'get',
    summary:
      'Approvals and questions, the last asked first; with a status, the last that ended, or pending ones by age',
    query: requestsQuery,
    answers: { 200: 'requests, next_cursor (null on the last page)' },
  },
  {
    path: '/requests/{id}/answer',
    method: 'post',
    summary: 'Answers an approval or a question, once',
    body: z.union([approvalBody, questionBody]),
    answers: {
      200: 'request',
      403: 'You may not decide this',
      404: 'No such request',
      409: 'Already answered',
      ...ofJson,
    },
  },
  {
    path: '/ignored',
    method: 'get',
    summary: 'Messages that were not answered, and why: the latest, or one by its id or link',
    query: ignoredQuery,
    answers: { 200: 'ignored, next_cursor (null on the last page)' },
  },
  {
    path: '/grants',
    method: 'get',
    summary:
      'What runs without asking: all grants, those in force first, or those in force in a conversation; newest first',
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
    answers: { 200: 'usage, has_more, total_usd of all lines, unpriced (models that aren’t counted)' },
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
    summary:
      'The bot’s tools; those of tier by_name are loaded into a thread when a person writes @name, those on_demand by the model',
    answers: {
      200: 'tools: name, description, tier (core, always, on_demand, by_name), category, tags, effect, repeatable, timeout_ms, approval (action, risk, reason, rule), and why, where it is unavailable',
    },
  },
  {
    path: '/about',
    method: 'get',
    summary: 'Name, version, model, projects, session commands',
    answers: { 200: 'The bot' },
  },
]
