import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { alsoField, optionFields, peopleFields, timeoutField, toChoice, toParts, toPeople } from './question-input.ts'
import { questionsWords } from './words.ts'

const input = z.object({
  question: z.string().min(1).describe('One question'),
  context: z.string().optional().describe('What they need to know'),
  options: optionFields.max(25).optional().describe('"Something else" is always added'),
  multiple: z.boolean().optional().describe('Several may be chosen'),
  required: z.boolean().optional().describe('False: may be skipped'),
  also: alsoField
    .optional()
    .describe('Up to 4 more, each with question, options, multiple, required')
    .meta({ shown: 'plain' }),
  ...peopleFields,
  default: z.string().optional().describe('The answer after timeout_ms'),
  timeout_ms: timeoutField.describe('For the default'),
})

export const askHuman = defineTool<z.infer<typeof input>>({
  kind: 'ask',
  name: 'ask_human',
  description: 'Asks the people of the thread and waits, however long it takes. They may answer with files too.',
  input,
  doing: ({ question }) => questionsWords.asking({ question }),
  effect: 'read',
  repeatable: true,
  question({ question, context, options, multiple, required = true, also = [], timeout_ms, ...rest }) {
    const parts = toParts(also, required && rest.default === undefined)
    if (rest.default !== undefined && parts.some((part) => part.required)) {
      throw new Failure(
        'bad_question',
        'The default answers the first question only, and a further one is required.',
        'Leave the default out, or set `required` of the further questions to false.',
      )
    }
    return {
      question,
      context,
      ...toChoice(options, rest.default, multiple),
      multiple: multiple ?? false,
      required,
      ...(parts.length > 0 && { also: parts }),
      ...toPeople(rest),
      // A form doesn't end unanswered while one of its questions is required.
      timeout_ms: parts.some((part) => part.required) ? undefined : timeout_ms,
    }
  },
})
