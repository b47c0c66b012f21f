import type { Operation } from '../../turn/operation.ts'

/** The operations of routes.ts. */
export const agentOperations: readonly Operation[] = [
  {
    ...{ path: '/agents', method: 'get', summary: 'The agents, and what they did in the last 30 days' },
    answers: { 200: 'agents' },
  },
  {
    ...{ path: '/agents/{name}', method: 'get', summary: 'An agent with its latest runs' },
    answers: { 200: 'The agent', 404: 'No such agent' },
  },
]
