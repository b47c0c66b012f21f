import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { alsoField, optionFields, peopleFields, timeoutField, toOptions, toParts, toPeople } from './question-input.ts'

const input = z.object({
  question: z.string().min(1).describe('One question, in the language of the person'),
  context: z.string().optional().describe('What they need to know to answer'),
  options: optionFields.max(25).optional().describe('Likely answers; "something else" is always possible'),
  multiple: z.boolean().optional().describe('Several options may be chosen'),
  required: z.boolean().optional().describe('False when the person may skip it. True by default'),
  also: alsoField
    .optional()
    .describe('Up to 4 further questions that are asked in the same form: question, options, multiple, required'),
  ...peopleFields,
  default: z
    .string()
    .optional()
    .describe('Label of an option, or text: taken as the answer to the first question when timeout_ms has passed'),
  timeout_ms: timeoutField.describe('Without a default, nothing happens when it has passed, unless it may be skipped'),
})

export const askHuman = defineTool<z.infer<typeof input>>({
  kind: 'ask',
  name: 'ask_human',
  description:
    'Asks the people of the thread a question and waits for the answer, however long it takes; several at once with `also`. They may answer with files too. Use it when something you need is missing, or the choice is theirs.',
  input,
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
      options: toOptions(options ?? []),
      multiple: multiple ?? false,
      required,
      ...(parts.length > 0 && { also: parts }),
      ...toPeople(rest),
      default: rest.default,
      // A form doesn't end unanswered while one of its questions is required.
      timeout_ms: parts.some((part) => part.required) ? undefined : timeout_ms,
    }
  },
})
