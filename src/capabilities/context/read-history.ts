import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { ContextTools } from './compact-context.ts'
import { contextWords } from './words.ts'

export const readHistory = defineTool({
  kind: 'run',
  name: 'read_history',
  onDemand: true,
  description:
    'Reads earlier messages. Give words to search for, or the number to start from. Where it shows several, or what it found, further lines of a message are indented by two spaces; by its number and with limit 1, one is shown word for word.',
  input: z.strictObject({
    search: z.string().trim().min(1).max(200).optional().describe('Words that a message must contain.'),
    from: z.int().min(1).optional().describe('The number of the first message to read, if nothing is searched for.'),
    limit: z.int().min(1).max(50).default(10).describe('Maximum number of messages.'),
  }),
  doing: () => contextWords.lookingBack(),
  effect: 'read',
  repeatable: true,
  source: () => 'earlier messages of this thread',
  run: ({ search, from, limit }, { history }: ContextTools) =>
    search === undefined ? history.read(from ?? 1, limit) : history.search(search, limit),
})
