import { z } from 'zod'
import type { JsonObject } from '../kit/json.ts'
import { ModelFailure, type Usage } from '../kit/model/model.ts'
import { modelWords } from './words.ts'

// Servers that call themselves compatible may send null, parts or nothing where OpenAI sends a string.
const part = z.object({ text: z.string().nullish(), thinking: z.unknown().optional() })
const words = z
  .union([z.string(), z.array(part)])
  .nullish()
  .catch(undefined)

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

const callPiece = z.object({
  index: z.number().int().nullish().catch(undefined),
  id: z.string().nullish().catch(undefined),
  function: z
    .object({ name: z.string().nullish().catch(undefined), arguments: z.unknown().optional() })
    .nullish()
    .catch(undefined),
  // Gemini's signature.
  extra_content: z.record(z.string(), z.record(z.string(), scalar)).nullish().catch(undefined),
})

/** A longer one isn't kept. Signatures have a few thousand characters. */
const mostExtraCharacters = 65_536

const delta = z.object({
  content: words,
  reasoning_content: words,
  reasoning: words,
  tool_calls: z.array(callPiece).nullish().catch(undefined),
})

/** Of one call. A higher count is a mistake, and would use up any budget. */
const mostTokens = 20_000_000

const tokens = z.number().int().nonnegative().max(mostTokens).catch(0)

const chunk = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().nullish(),
        delta: delta.nullish(),
        message: delta.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: tokens,
      completion_tokens: tokens,
      total_tokens: tokens,
      prompt_tokens_details: z.object({ cached_tokens: tokens, cache_write_tokens: tokens }).nullish().catch(undefined),
      completion_tokens_details: z.object({ reasoning_tokens: tokens }).nullish().catch(undefined),
      // DeepSeek's and Anthropic's own names.
      prompt_cache_hit_tokens: tokens,
      cache_read_input_tokens: tokens,
      cache_creation_input_tokens: tokens,
    })
    .nullish()
    .catch(undefined),
})

/** A piece of a tool call with the server's number, if there is one. */
export interface CallPiece {
  index?: number
  id?: string
  name?: string
  arguments: string
  extra?: JsonObject
}

/** One event of the stream, parsed. `finish` is the server's own word. */
export interface ParsedChunk {
  text: string
  thought: string
  /** It came under the name whose providers want it back. */
  thoughtWanted: boolean
  calls: CallPiece[]
  finish?: string
  usage?: Usage
}

const textOf = (value: z.infer<typeof words>): string =>
  typeof value === 'string' ? value : (value ?? []).map((piece) => piece.text ?? '').join('')

/** Mistral sends its reasoning as parts of the content. */
const thinkingOf = (value: z.infer<typeof words>): string =>
  typeof value === 'string' ? '' : (value ?? []).map((piece) => textOf(words.parse(piece.thinking))).join('')

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

const extraOf = ({ extra_content: extra }: z.infer<typeof callPiece>): JsonObject | undefined =>
  extra && JSON.stringify(extra).length <= mostExtraCharacters ? extra : undefined

const callOf = (piece: z.infer<typeof callPiece>, extra = extraOf(piece)): CallPiece => ({
  ...(typeof piece.index === 'number' && { index: piece.index }),
  ...(piece.id && { id: piece.id }),
  ...(piece.function?.name && { name: piece.function.name }),
  arguments: argumentsText(piece.function?.arguments),
  ...(extra && { extra }),
})

/**
 * What of the cache isn't counted in the prompt, as Anthropic counts and some gateways pass on, such as Portkey's. Only
 * where it's certain: a part is larger than the whole, or the total has it besides.
 */
function cacheBesidePrompt(usage: NonNullable<z.infer<typeof chunk>['usage']>): number {
  const { prompt_tokens: prompt, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
  const cache = read + written
  const isBeside = Math.max(read, written) > prompt || usage.total_tokens === prompt + usage.completion_tokens + cache
  return isBeside ? cache : 0
}

/** Undefined if nothing was counted: some servers send zeros, or names of their own. */
function usageOf(usage: z.infer<typeof chunk>['usage']): Usage | undefined {
  if (!usage || usage.prompt_tokens + usage.completion_tokens === 0) return undefined
  const input = usage.prompt_tokens + cacheBesidePrompt(usage)
  // xAI and Gemini count reasoning in the total only.
  const output = Math.max(usage.completion_tokens, input > 0 ? usage.total_tokens - input : 0)
  const cached =
    usage.prompt_tokens_details?.cached_tokens || usage.prompt_cache_hit_tokens || usage.cache_read_input_tokens
  const written = usage.prompt_tokens_details?.cache_write_tokens || usage.cache_creation_input_tokens
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0
  return {
    input,
    output,
    cached: Math.min(cached, input),
    ...(written > 0 && { written: Math.min(written, input) }),
    ...(reasoning > 0 && { reasoning }),
  }
}

/** Throws ModelFailure `cut` if the event isn't a chunk of a chat completion. */
export function parseChunk(received: unknown): ParsedChunk {
  const parsed = chunk.safeParse(received)
  if (!parsed.success) {
    throw new ModelFailure('cut', modelWords.unreadableChunk(), true)
  }
  const choice = parsed.data.choices?.find((candidate) => (candidate.index ?? 0) === 0)
  // Some servers answer in one piece, in `message`, although a stream was asked for.
  const said = choice?.delta ?? choice?.message
  const usage = usageOf(parsed.data.usage)
  const wanted = textOf(said?.reasoning_content)
  return {
    text: textOf(said?.content),
    thought: wanted || textOf(said?.reasoning) || thinkingOf(said?.content),
    thoughtWanted: wanted !== '',
    calls: (said?.tool_calls ?? []).map((piece) => callOf(piece)),
    ...(choice?.finish_reason && { finish: choice.finish_reason }),
    ...(usage && { usage }),
  }
}
