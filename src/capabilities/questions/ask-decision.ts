import { z } from 'zod'
import { decisionKinds, type QuestionOption } from '../../domain/question.ts'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { optionFields, peopleFieldsUnsaid, timeoutField, toChoice, toPeople } from './question-input.ts'
import { questionsWords } from './words.ts'

const input = z.object({
  question: z.string().min(1).describe('What to decide'),
  context: z.string().optional().describe('Consequences, risks, numbers'),
  options: optionFields.min(2).max(25).describe('As in ask_human').meta({ shown: 'plain' }),
  kind: z.enum(decisionKinds).optional().describe('Its kind'),
  ...peopleFieldsUnsaid,
  default: z.string().optional().describe('The option taken after timeout_ms'),
  timeout_ms: timeoutField.describe('300000 by default'),
})

/** A decision's deadline is 300 s. */
const decisionTimeoutMs = 300_000

export const askDecision = defineTool<z.infer<typeof input>>({
  kind: 'ask',
  name: 'ask_decision',
  description: 'Asks a person to choose how to continue. The other arguments are those of ask_human.',
  input,
  doing: ({ question }) => questionsWords.asking({ question }),
  effect: 'read',
  repeatable: true,
  question({ question, context, options: given, kind, timeout_ms, ...rest }) {
    const choice = toChoice(given, rest.default)
    if (choice.default !== undefined && !isOneOf(choice.options, choice.default)) {
      const labels = choice.options.map(({ label }) => label).join(', ')
      throw new Failure(
        'bad_question',
        `The default ${JSON.stringify(choice.default)} is none of the options.`,
        `Use the label of one: ${labels}.`,
      )
    }
    return {
      question,
      context,
      ...choice,
      multiple: false,
      required: true,
      ...toPeople(rest),
      timeout_ms: timeout_ms ?? decisionTimeoutMs,
      decision: kind ?? 'custom',
    }
  },
})

const isOneOf = (options: QuestionOption[], named: string): boolean =>
  options.some(({ id, label }) => id === named || label.toLowerCase() === named.trim().toLowerCase())
