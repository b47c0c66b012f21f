import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { McpHost } from '../port.ts'
import { plain } from './failures.ts'
import { elicitationOf } from './form.ts'
import { samplingOf } from './sampling.ts'

/**
 * Answers what a server asks. The SDK's own handlers check each part of a request, and send back all that is wrong with
 * it, in far more bytes than it had.
 */
export const answersOf =
  ({ roots, elicit, sample, mask }: McpHost): NonNullable<Client['fallbackRequestHandler']> =>
  async ({ method, params }, { signal }) => {
    if (method === 'roots/list') return { roots: roots() }
    if (method === 'elicitation/create') return { ...(await elicit(read(elicitationOf, params, mask), signal)) }
    if (method !== 'sampling/createMessage' || sample === undefined)
      throw new McpError(ErrorCode.MethodNotFound, 'method not found')
    const text = await sample(read(samplingOf, params, mask), signal)
    return { model: 'bobbin', role: 'assistant', content: { type: 'text', text } }
  }

function read<Wanted>(parse: (params: unknown) => Wanted, params: unknown, mask: McpHost['mask']): Wanted {
  try {
    return parse(params)
  } catch (thrown) {
    throw new McpError(ErrorCode.InvalidParams, plain(thrown, mask))
  }
}
