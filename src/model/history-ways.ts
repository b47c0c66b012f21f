import { InternalServerError } from 'openai'
import { isRefusal, refusing } from './refusals.ts'

/** How an endpoint wants the history where it is stricter than others. */
export interface HistoryWays {
  /** `own`: reasoning goes back with the calls it came with. `all`: every message of a model needs some. */
  reasoning: 'own' | 'all' | 'none'
  /** Whether the first call of a message needs a signature, whoever made it. */
  signatures: boolean
  /** Whether the model has to say something between a result and a person's message. */
  between: boolean
  /** Whether people's messages and the model's have to alternate, beginning with people's. */
  alternating: boolean
}

export const usualWays: HistoryWays = { reasoning: 'own', signatures: false, between: false, alternating: false }

interface Lesson {
  says: readonly RegExp[]
  ways: Partial<HistoryWays>
}

/**
 * The templates of Mistral's open models and of Gemma: “conversation roles must alternate”. Perplexity: “roles should
 * be alternating”, and “user or tool message(s) should alternate with assistant message(s)”.
 */
const alternation: Lesson = {
  says: [/(roles|messages?|message\(s\)) (must|should) (be )?alternat/i],
  ways: { between: true, alternating: true },
}

/**
 * Kimi: “reasoning_content is missing in assistant tool call message”. DeepSeek: “Missing `reasoning_content` field”,
 * and “must be passed back to the API”. Gemini: “is missing a thought_signature”. Mistral, of reasoning: “Extra inputs
 * are not permitted”; of the order: “Unexpected role 'user' after role 'tool'”.
 */
const lessons: readonly Lesson[] = [
  // First, because Pydantic quotes the reasoning, which may say anything.
  { says: [/reasoning_content/, /extra_forbidden|extra inputs are not permitted/i], ways: { reasoning: 'none' } },
  { says: [/reasoning_content/, /missing|passed back|required/i], ways: { reasoning: 'all' } },
  { says: [/reasoning_content/, refusing], ways: { reasoning: 'none' } },
  { says: [/thought_signature/, /missing|required/i], ways: { signatures: true } },
  { says: [/unexpected role .?user.? after role .?tool/i], ways: { between: true } },
  alternation,
]

/** What a refusal teaches about the history. */
export function historyLesson(thrown: unknown): Partial<HistoryWays> | undefined {
  if (!isRefusal(thrown) && !(thrown instanceof InternalServerError)) return undefined
  // Gateways put what the provider said somewhere below their own message.
  const words = `${thrown.message} ${JSON.stringify(thrown.error)}`
  // llama.cpp answers 500 when a template refuses the history.
  const possible = isRefusal(thrown) ? lessons : [alternation]
  return possible.find(({ says }) => says.every((word) => word.test(words)))?.ways
}

/** An endpoint that wants no reasoning and then misses it gets none: each lesson is learned once. */
export const withLesson = (ways: HistoryWays, lesson: Partial<HistoryWays>): HistoryWays => ({
  ...ways,
  ...lesson,
  ...(ways.reasoning === 'none' && { reasoning: 'none' as const }),
})

export const areSame = (some: HistoryWays, others: HistoryWays): boolean =>
  some.reasoning === others.reasoning &&
  some.signatures === others.signatures &&
  some.between === others.between &&
  some.alternating === others.alternating
