import type { JsonObject } from '../json.ts'

/** What a model is sent: the shapes of chat completions, without the parts that nobody uses. */
export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images?: ModelImage[] }
  | { role: 'assistant'; content: string; calls: { id: string; name: string; arguments: string }[] }
  | { role: 'tool'; call: string; content: string }

/** `type` is a MIME type that chat completions take. */
export interface ModelImage {
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  base64: string
}

/** `parameters` is a JSON schema. */
export interface ToolDefinition {
  name: string
  description: string
  parameters: JsonObject
}

export interface ModelRequest {
  messages: ModelMessage[]
  tools: ToolDefinition[]
  /** To say nothing is an answer here. */
  mayBeEmpty?: boolean
  signal: AbortSignal
}

/** Tokens, as the provider counted them. */
export interface Usage {
  input: number
  output: number
  cached: number
}

/**
 * What comes back, piece by piece. `call` pieces of one call share `index`; the first carries the name.
 * A stream that ends without an `end` piece was cut.
 */
export type ModelChunk =
  | { kind: 'text'; text: string }
  | { kind: 'thought'; text: string }
  | { kind: 'call'; index: number; name?: string; arguments?: string }
  | { kind: 'end'; finish: 'stop' | 'calls' | 'length' | 'filter'; usage?: Usage }

export interface Model {
  /** For people: the model's id, or "practice". */
  readonly name: string
  /** True for the built-in model that answers when no endpoint is configured. */
  readonly practice: boolean
  /** Tokens. */
  readonly contextLimit: number
  readonly outputLimit: number
  /** One attempt. Throws ModelFailure. Retrying is the caller's. */
  stream(request: ModelRequest): AsyncIterable<ModelChunk>
}

/** Why one attempt at a model failed, and whether another may do better. `retryAfterMs` is the provider's wish. */
export class ModelFailure extends Error {
  readonly code: 'rate_limited' | 'unavailable' | 'cut' | 'hang' | 'empty' | 'endless' | 'refused'
  readonly retry: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    code: ModelFailure['code'],
    message: string,
    retry: boolean,
    retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ModelFailure'
    this.code = code
    this.retry = retry
    this.retryAfterMs = retryAfterMs
  }
}

/** A whole reply, put together from its chunks. */
export interface Reply {
  text: string
  thought: string
  calls: { name: string; arguments: string }[]
  finish: 'stop' | 'calls' | 'length' | 'filter'
  usage?: Usage
}

/** One configured model. Figures from `config/models.yaml`; key, base URL and id usually from the environment. */
export interface ModelSlot {
  apiKey: string
  baseUrl: string
  id: string
  /** Tokens. */
  contextLimit: number
  outputLimit: number
  temperature: number
  /** US dollars for a million tokens; undefined when nobody said. */
  price: { input: number; cached?: number; output: number } | undefined
}

/** How to try, from `config/models.yaml`. All times in ms. */
export interface ModelPatience {
  /** Attempts in all, the first among them. */
  attempts: number
  /** Full jitter: a random wait between 0 and min(maxDelay, baseDelay * 2 ^ attempt). */
  baseDelayMs: number
  maxDelayMs: number
  /** A Retry-After above this ends the turn with an error instead of a wait. */
  maxRetryAfterMs: number
  /** No byte for so long: the attempt is given up. */
  idleTimeoutMs: number
  /** One attempt altogether. */
  totalTimeoutMs: number
}
