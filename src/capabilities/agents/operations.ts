import { z } from 'zod'
import type { Operation } from '../../turn/port/operation.ts'
import { agentsWords } from './words.ts'

const notFound = { 404: agentsWords.agentNotFound() }
const query = z.object({ tenant_id: z.string().min(1).optional().describe(agentsWords.onlyInTenant()) })
const entry = z
  .looseObject({ description: z.string(), prompt: z.string() })
  .describe(agentsWords.agentKeysDescription())

/** The operations of routes.ts and change-routes.ts. */
export const agentOperations: readonly Operation[] = [
  {
    path: '/agents',
    method: 'get',
    summary: agentsWords.listsAgents(),
    query,
    answers: { 200: 'agents' },
  },
  {
    path: '/agents/{name}',
    method: 'get',
    summary: agentsWords.readsAgent(),
    query,
    answers: { 200: 'The agent', ...notFound },
  },
  {
    path: '/agents',
    method: 'post',
    summary: 'Adds an agent',
    body: entry.extend({ name: z.string() }),
    answers: { 201: 'Its name', 409: agentsWords.nameTaken() },
  },
  {
    path: '/agents/{name}',
    method: 'patch',
    summary: agentsWords.changesAgent(),
    query,
    body: entry.partial(),
    answers: { 200: 'Its name', ...notFound },
  },
  {
    path: '/agents/{name}',
    method: 'delete',
    summary: agentsWords.takesBack(),
    query,
    answers: { 200: agentsWords.asInFile(), 204: 'Removed', ...notFound, 409: agentsWords.nothingChanged() },
  },
  ...(['enable', 'disable'] as const).map(
    (action): Operation => ({
      path: `/agents/{name}/${action}`,
      method: 'post',
      query,
      summary: `Switches an agent ${action === 'enable' ? 'on' : 'off'}`,
      answers: { 200: 'Its name', ...notFound },
    }),
  ),
  {
    path: '/agents/match',
    method: 'post',
    summary: agentsWords.matchesAgent(),
    query,
    body: z.strictObject({ message: z.string().min(1) }),
    answers: { 200: agentsWords.matchAnswer() },
  },
]
