import { z } from 'zod'
import { decisionKinds } from '../domain/question.ts'
import { defineTool } from '../domain/tool.ts'
import { optionFields, toOptions } from './question-input.ts'

const input = z.object({
  question: z.string().min(1).describe('What is to be decided, in the language of the person'),
  context: z.string().optional().describe('What they need to know to decide: consequences, risks, numbers'),
  options: optionFields.min(2).max(25).describe('The ways there are'),
  kind: z.enum(decisionKinds).optional().describe('What kind of decision it is'),
  default: z.string().optional().describe('Label of the option that is taken when timeout_ms has passed'),
  timeout_ms: z
    .int()
    .min(1000)
    .max(604_800_000)
    .optional()
    .describe('300000 by default; without a default option, the question waits on'),
})

/** H1: a decision's deadline is 300 s. */
const decisionTimeoutMs = 300_000

export const askDecision = defineTool<z.infer<typeof input>>({
  kind: 'ask',
  name: 'ask_decision',
  description:
    'Has a person decide between ways to go on: at forks, before deletions, important settings, large data, long runs, and at steps that the person marked.',
  input,
  effect: 'read',
  repeatable: true,
  question({ question, context, options, kind, default: byDefault, timeout_ms }) {
    return {
      question,
      context,
      options: toOptions(options),
      multiple: false,
      required: true,
      default: byDefault,
      timeout_ms: timeout_ms ?? decisionTimeoutMs,
      decision: kind ?? 'custom',
    }
  },
})
