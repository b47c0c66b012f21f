import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { ContextTools } from './compact-context.ts'

export const readHistory = defineTool({
  kind: 'run',
  name: 'read_history',
  description:
    'Looks into earlier messages of this thread that are no longer shown: those that contain the words of `search`, or ' +
    'those from a number on. Long ones are cut, unless limit is 1.',
  input: z.strictObject({
    search: z.string().trim().min(1).max(200).optional().describe('Words that a message must contain.'),
    from: z.int().min(1).optional().describe('The number of the first message to read, if nothing is searched for.'),
    limit: z.int().min(1).max(50).default(10).describe('The most messages.'),
  }),
  effect: 'read',
  repeatable: true,
  source: () => 'earlier messages of this thread',
  run: ({ search, from, limit }, { history }: ContextTools) =>
    search === undefined ? history.read(from ?? 1, limit) : history.search(search, limit),
})
