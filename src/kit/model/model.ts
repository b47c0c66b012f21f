import type { JsonObject } from '../json.ts'

/** What a model is sent: the shapes of chat completions, without the parts that nobody uses. */
export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images?: ModelImage[] }
  /** `thought`: what the model that is asked reasoned before these calls, if its endpoint wants that back. */
  | { role: 'assistant'; content: string; thought?: string; calls: ModelCall[] }
  | { role: 'tool'; call: string; content: string }

/** `extra`: what the endpoint that is asked sent along with it, such as a signature. It goes back as it came. */
export interface ModelCall {
  id: string
  name: string
  arguments: string
  extra?: JsonObject
}

/** `type` is a MIME type that chat completions take. */
export interface ModelImage {
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  base64: string
}

/** `parameters` is a JSON schema. `server`: the MCP server whose words these are, if they aren't ours. */
export interface ToolDefinition {
  name: string
  description: string
  parameters: JsonObject
  server?: string
}

/**
 * What a request asks for instead of what its model is set to. An endpoint that takes none of it isn't asked again for
 * it.
 */
export interface Sampling {
  temperature?: number
  topP?: number
  /** Tokens; never more than the model's own limit. */
  outputLimit?: number
}

export interface ModelRequest {
  messages: ModelMessage[]
  tools: ToolDefinition[]
  /** False: the model is to answer. The tools go along for what was called before. */
  mayCall?: boolean
  sampling?: Sampling | undefined
  /** Saying nothing is a valid answer here. */
  mayBeEmpty?: boolean
  signal: AbortSignal
}

/**
 * Tokens, as the provider counted them. `cached` and `written` (to its cache) are part of `input`, `reasoning` of
 * `output`.
 */
export interface Usage {
  input: number
  output: number
  cached: number
  written?: number
  reasoning?: number
  /** What we had estimated for `input`, which is 0 if the provider doesn't count. */
  estimate?: number
}

/**
 * What comes back, piece by piece. `call` pieces of one call share `index`; the first name counts. A `wanted` thought
 * has to go back with the calls that follow it. A thought that `wasText` is all the text so far, which takes that back.
 * A stream that ends without an `end` piece was cut off.
 */
export type ModelChunk =
  | { kind: 'text'; text: string }
  | { kind: 'thought'; text: string; wanted?: true; wasText?: true }
  | { kind: 'call'; index: number; name?: string; arguments?: string; extra?: JsonObject }
  | { kind: 'end'; finish: 'stop' | 'calls' | 'length' | 'filter'; usage?: Usage }

export interface Model {
  /** For people: the model's id, or "practice". */
  readonly name: string
  /** True for the built-in model that answers if no endpoint is configured. */
  readonly practice: boolean
  /** Tokens. */
  readonly contextLimit: number
  readonly outputLimit: number
  /** One attempt. Throws ModelFailure. Retrying is up to the caller. */
  stream(request: ModelRequest): AsyncIterable<ModelChunk>
}

/** Why one attempt failed, and whether another may succeed. `retryAfterMs` is what the provider asked for. */
export class ModelFailure extends Error {
  readonly code: 'rate_limited' | 'unavailable' | 'cut' | 'hang' | 'empty' | 'endless' | 'refused'
  readonly retry: boolean
  readonly retryAfterMs: number | undefined
  /**
   * What has to change before another attempt can succeed. `length`: the model can't read as much. `tools`: it takes
   * none. `filter`: the provider doesn't let through what is in the prompt.
   */
  readonly why: 'key' | 'credit' | 'rights' | 'model' | 'length' | 'tools' | 'filter' | undefined
  /** Nothing answers at the endpoint's address. */
  readonly unreachable: boolean
  /** Whether the attempt, or one at the same request before it, may have cost something, whatever the code says. */
  mayHaveCost = false
  /**
   * The tokens of the attempt, if the provider counted them. Once the request is given up: those of all attempts that
   * may have cost something, unless one of them wasn't counted.
   */
  usage: Usage | undefined

  constructor(
    code: ModelFailure['code'],
    message: string,
    retry: boolean,
    retryAfterMs?: number,
    {
      why,
      unreachable = false,
      usage,
      ...options
    }: ErrorOptions & Partial<Pick<ModelFailure, 'why' | 'unreachable' | 'usage'>> = {},
  ) {
    super(message, options)
    this.name = 'ModelFailure'
    this.code = code
    this.retry = retry
    this.retryAfterMs = retryAfterMs
    this.why = why
    this.unreachable = unreachable
    this.usage = usage
  }
}

/** The model wasn't asked, because whoever wants it may not: a budget is used up, say. Others may. */
export class NotPermitted extends ModelFailure {
  constructor(message: string) {
    super('refused', message, false)
    this.name = 'NotPermitted'
  }
}

/** A text that had to be whole ended early, at the output limit or by the provider's filter. */
export class CutShort extends ModelFailure {
  /** The beginning, as far as it came. */
  readonly text: string

  constructor(message: string, text: string) {
    super('cut', message, false)
    this.name = 'CutShort'
    this.text = text
  }
}

/** A whole reply, assembled from its chunks. */
export interface Reply {
  text: string
  thought: string
  /** The endpoint wants the thought back with the calls. */
  thoughtWanted?: true
  calls: Omit<ModelCall, 'id'>[]
  finish: 'stop' | 'calls' | 'length' | 'filter'
  usage?: Usage
  /** What attempts before it took, as far as the provider counted that. */
  wasted?: Usage
}

/** What models are for. `base` answers if nothing else is set up. */
export const slotNames = ['base', 'reasoning', 'vision', 'code', 'chat'] as const
export type SlotName = (typeof slotNames)[number]
export const isSlotName = (name: string): name is SlotName => (slotNames as readonly string[]).includes(name)

/**
 * US dollars per million tokens. What is read from a cache or written to it costs as much as input if nothing is said.
 */
export interface Price {
  input: number
  cached?: number | undefined
  written?: number | undefined
  output: number
}

/**
 * One configured model. Its figures come from `config/models.yaml`; key, base URL and id usually from the environment.
 */
export interface ModelSlot {
  apiKey: string
  baseUrl: string
  id: string
  /** Tokens. */
  contextLimit: number
  outputLimit: number
  temperature: number
  /** Undefined if nobody knows it. */
  price: Price | undefined
  /** Vision, tools, streaming, json, reasoning; undefined if nobody knows. */
  can?: readonly string[] | undefined
  /** Its limits are only assumed, because neither the catalogue nor the settings have them. */
  assumed?: boolean
}

/** The configured model that turns texts into vectors. Its `contextLimit` is what one text may have. */
export interface EmbeddingSlot extends ModelSlot {
  /** How many numbers a vector is asked to have; undefined: as many as the model gives. */
  dimensions?: number
}

/** Vectors of unit length, in the order of their texts. */
export interface Embedded {
  vectors: Float32Array[]
  /** Undefined if the server doesn't count. */
  usage: Usage | undefined
}

export interface EmbeddingModel {
  name: string
  /** As many as one request may have. Throws the last ModelFailure when it gives up. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>
}

/** A slot whose calls cost something. */
export type PaidSlot = SlotName | 'embedding'

/** How to retry, from `config/models.yaml`. All times in ms. */
export interface ModelPatience {
  /** All attempts, including the first. */
  attempts: number
  /** Full jitter: a random wait between 0 and min(maxDelay, baseDelay * 2 ^ attempt). */
  baseDelayMs: number
  maxDelayMs: number
  /** A longer Retry-After ends the turn with an error instead of a wait. */
  maxRetryAfterMs: number
  /** If no byte comes for this long before the reply's first piece, the attempt is given up. */
  firstOutputTimeoutMs: number
  /** The same after that piece. */
  idleTimeoutMs: number
  /** The limit for a whole attempt. */
  totalTimeoutMs: number
  /** The limit for a request with all its attempts and waits. */
  callTimeoutMs: number
  /** The limit for all requests of a turn together. */
  turnTimeoutMs: number
}
