import { z } from 'zod'
import type { Operation } from '../../turn/port/operation.ts'

const place = z.object({
  platform: z.string().optional().describe('With tenant_id; without both, the console'),
  tenant_id: z.string().optional().describe('With platform'),
  project_id: z
    .string()
    .optional()
    .describe('The channel; without it, the console’s general, or with platform and tenant_id what all channels share'),
})
const scoped = place.extend({ scope: z.enum(['team', 'channel']).default('team').describe('Where it holds') })
export const matchBody = z.strictObject({ message: z.string().min(1) })
const notFound = { 404: 'No such skill' }
const change = (action: string, summary: string): Operation => ({
  path: `/skills/{name}/${action}`,
  method: 'post',
  summary,
  query: scoped,
  answers: { 200: 'The new version', ...notFound, 409: 'There is nothing to change' },
})

/** The operations of routes.ts. */
export const skillOperations: readonly Operation[] = [
  { path: '/skills', method: 'get', summary: 'The skills of a channel', query: place, answers: { 200: 'skills' } },
  {
    path: '/skills',
    method: 'post',
    summary: 'Installs a skill; the body is a zip or a SKILL.md',
    query: scoped,
    takes: ['application/zip', 'text/markdown'],
    answers: { 201: 'Its name and version', 400: 'It can’t be used' },
  },
  {
    path: '/skills/{name}',
    method: 'get',
    summary: 'A skill with its instructions and files',
    query: place,
    answers: { 200: 'The skill', ...notFound },
  },
  {
    path: '/skills/{name}',
    method: 'delete',
    summary: 'Takes an installed skill away',
    query: scoped,
    answers: { 200: 'The new version', ...notFound, 409: 'It isn’t installed there' },
  },
  {
    path: '/skills/{name}/content',
    method: 'get',
    summary: 'One of its files',
    query: place.extend({ path: z.string().default('SKILL.md') }),
    answers: { 200: 'The file', ...notFound },
    sends: ['text/plain'],
  },
  {
    path: '/skills/{name}/package',
    method: 'get',
    summary: 'All of its files as a zip',
    query: place,
    answers: { 200: 'A zip archive', ...notFound },
    sends: ['application/zip'],
  },
  {
    path: '/skills/{name}/versions',
    method: 'get',
    summary: 'What was installed under its name',
    query: place,
    answers: { 200: 'versions' },
  },
  {
    path: '/skills/match',
    method: 'post',
    summary: 'Which skills a message would load by their triggers',
    query: place,
    body: matchBody,
    answers: { 200: 'matches: name, mode, score, the best first' },
  },
  change('enable', 'Puts a skill into the model’s list'),
  change('disable', 'Takes a skill out of the model’s list'),
  change('back', 'Goes back to the version before'),
]
