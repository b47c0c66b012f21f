import { z } from 'zod'
import { defineTool } from '../domain/tool.ts'
import { optionFields, toOptions } from './question-input.ts'

const input = z.object({
  question: z.string().min(1).describe('One question, in the language of the person'),
  context: z.string().optional().describe('What they need to know to answer'),
  options: optionFields.max(25).optional().describe('Likely answers; "something else" is always possible'),
  multiple: z.boolean().optional().describe('Several options may be chosen'),
  required: z.boolean().optional().describe('False when the person may skip it. True by default'),
  default: z.string().optional().describe('Label of an option, or text: taken when timeout_ms has passed'),
  timeout_ms: z
    .int()
    .min(1000)
    .max(604_800_000)
    .optional()
    .describe('Without a default, nothing happens when it has passed'),
})

export const askHuman = defineTool<z.infer<typeof input>>({
  kind: 'ask',
  name: 'ask_human',
  description:
    'Asks the people of the thread a question and waits for the answer, however long it takes. Use it when something that you need is missing or is theirs to choose.',
  input,
  effect: 'read',
  repeatable: true,
  question({ question, context, options, multiple, required, default: byDefault, timeout_ms }) {
    return {
      question,
      context,
      options: toOptions(options ?? []),
      multiple: multiple ?? false,
      required: required ?? true,
      default: byDefault,
      timeout_ms,
    }
  },
})
