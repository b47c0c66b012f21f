import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'

const input = z.strictObject({ summary: z.string().min(1).describe('The answer to the person, in Markdown') })

export const finish = defineTool<z.infer<typeof input>>({
  kind: 'end',
  name: 'finish',
  onDemand: true,
  description: 'Ends the turn with an answer. You can also simply answer.',
  input,
  effect: 'read',
  repeatable: true,
  answer: ({ summary }) => summary,
})
