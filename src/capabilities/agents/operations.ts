import { z } from 'zod'
import type { Operation } from '../../turn/operation.ts'

const notFound = { 404: 'No such agent' }
const entry = z
  .looseObject({ description: z.string(), prompt: z.string() })
  .describe('The keys of an agent in agents.yaml')

/** The operations of routes.ts and change-routes.ts. */
export const agentOperations: readonly Operation[] = [
  {
    ...{ path: '/agents', method: 'get', summary: 'The agents, and what they did in the last 30 days' },
    answers: { 200: 'agents' },
  },
  {
    ...{ path: '/agents/{name}', method: 'get', summary: 'An agent with its latest runs' },
    answers: { 200: 'The agent', ...notFound },
  },
  {
    ...{ path: '/agents', method: 'post', summary: 'Adds an agent', body: entry.extend({ name: z.string() }) },
    answers: { 201: 'Its name', 400: 'Not valid', 409: 'There is one of this name' },
  },
  {
    ...{ path: '/agents/{name}', method: 'patch', summary: 'Changes an agent; null leaves a key unset' },
    body: entry.partial(),
    answers: { 200: 'Its name', 400: 'Not valid', ...notFound },
  },
  {
    ...{ path: '/agents/{name}', method: 'delete', summary: 'Takes back what was added or changed over HTTP' },
    answers: { 200: 'It is as agents.yaml says', 204: 'Removed', ...notFound, 409: 'Nothing was changed' },
  },
  ...(['enable', 'disable'] as const).map(
    (action): Operation => ({
      ...{ path: `/agents/{name}/${action}`, method: 'post' },
      summary: `Switches an agent ${action === 'enable' ? 'on' : 'off'}`,
      answers: { 200: 'Its name', ...notFound },
    }),
  ),
  {
    ...{ path: '/agents/match', method: 'post', summary: 'Which agents the words of a message would choose' },
    body: z.object({ message: z.string() }),
    answers: { 200: 'choice (null if none), words, by_meaning (true: its meaning would decide)', 400: 'Not valid' },
  },
]
