import { z } from 'zod'
import { clarificationKinds } from '../../domain/question.ts'
import { defineTool } from '../../domain/tool.ts'
import { optionFields, peopleFieldsUnsaid, timeoutField, toChoice, toPeople } from './question-input.ts'
import { questionsWords } from './words.ts'

const input = z.object({
  question: z.string().min(1).describe('What is unclear'),
  category: z.enum(clarificationKinds).describe('What it is about'),
  context: z.string().optional().describe('What you would do without an answer'),
  options: optionFields.max(25).optional().describe('As in ask_human').meta({ shown: 'plain' }),
  ...peopleFieldsUnsaid,
  default: z.string().optional().describe('Taken after timeout_ms'),
  timeout_ms: timeoutField.describe('60000 by default'),
})

/** A clarification's deadline is 60 s. */
const clarificationTimeoutMs = 60_000

export const askClarification = defineTool<z.infer<typeof input>>({
  kind: 'ask',
  name: 'ask_clarification',
  onDemand: true,
  description:
    'Asks what was meant. Without an answer, you continue after a minute. The other arguments are those of ask_human.',
  input,
  doing: ({ question }) => questionsWords.asking({ question }),
  effect: 'read',
  repeatable: true,
  question({ question, category, context, options, timeout_ms, ...rest }) {
    return {
      question,
      context: context === undefined ? questionsWords[category]() : questionsWords[`${category}In`]({ context }),
      ...toChoice(options, rest.default),
      multiple: false,
      required: false,
      ...toPeople(rest),
      timeout_ms: timeout_ms ?? clarificationTimeoutMs,
      clarification: category,
    }
  },
})
