import { AsyncLocalStorage } from 'node:async_hooks'
import OpenAI from 'openai'
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import {
  type Model,
  type ModelChunk,
  ModelFailure,
  type ModelPatience,
  type ModelRequest,
  type ModelSlot,
  type PaidSlot,
} from '../kit/model/model.ts'
import { outputReserve, tokensOfRequest } from '../kit/model/tokens.ts'
import { dialectOf, type ToolLeftOut } from './dialect.ts'
import { type Endpoint, failureOf, type SlotSettings } from './failures.ts'
import { readReply } from './read-reply.ts'
import { type Watch, watchAttempt } from './watch.ts'
import { wireMessages, wireTool } from './wire.ts'
import { modelWords } from './words.ts'

/** The largest delay that timers take: it turns off the SDK's own timeout, as `watchAttempt` sets one. */
const never = 2 ** 31 - 1

/** Where a slot is configured, for error messages. */
export const settingsOf = (slot: PaidSlot): SlotSettings => ({
  keySetting: `MODEL_${slot.toUpperCase()}_API_KEY`,
  urlSetting: `MODEL_${slot.toUpperCase()}_BASE_URL`,
  idSetting: `MODEL_${slot.toUpperCase()}_ID`,
})

/** Which attempt a client is asked for: making a client takes longer than making the request. */
export const watching = new AsyncLocalStorage<Watch>()

const watchedFetch: typeof fetch = (input, init) => (watching.getStore()?.fetch ?? fetch)(input, init)

// The SDK would fill in whatever is left out here from OPENAI_* variables that are meant for something else.
export const clientFor = (slot: ModelSlot) =>
  new OpenAI({
    apiKey: slot.apiKey || 'none',
    baseURL: slot.baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: never,
    logLevel: 'off',
    fetch: watchedFetch,
  })

export function endpointOf(slot: ModelSlot, settings: SlotSettings): Endpoint {
  const host = URL.canParse(slot.baseUrl) ? new URL(slot.baseUrl).host : 'with an invalid URL'
  return { ...settings, host, id: slot.id, apiKey: slot.apiKey }
}

/** A provider may count this many times the tokens that we estimate. */
const mostOff = 1.3

/** The most tokens of the reply: endpoints refuse a request that doesn't fit into the context together with it. */
function outputFor(request: ModelRequest, { contextLimit, outputLimit }: ModelSlot): number {
  const most = Math.min(request.sampling?.outputLimit ?? outputLimit, outputLimit)
  if (most <= outputReserve) return most
  return Math.min(most, Math.max(outputReserve, contextLimit - Math.ceil(tokensOfRequest(request) * mostOff)))
}

/**
 * A model behind any endpoint that speaks OpenAI's chat completions. `settings` names the variables that configure the
 * slot's key, URL and id, for error messages.
 */
export function openaiModel(
  slot: ModelSlot,
  patience: ModelPatience,
  settings: SlotSettings = settingsOf('base'),
  leftOut?: ToolLeftOut,
): Model {
  const endpoint = endpointOf(slot, settings)
  const dialect = dialectOf(slot, leftOut)
  let client: OpenAI | undefined

  function ask(options: OpenAI.RequestOptions, watch: Watch): Promise<AsyncIterable<unknown>> {
    const asked = client ?? clientFor(slot)
    client = asked
    return watching.run(watch, () => asked.post('/chat/completions', options))
  }

  async function open(request: ModelRequest, watch: Watch) {
    const { mayCall = true } = request
    const sampling = { ...request.sampling, outputLimit: outputFor(request, slot) }
    for (;;) {
      const { ways } = dialect
      const taken = dialect.taken(request.tools)
      const tools = taken.map(wireTool)
      const extras = { ...dialect.extras(sampling, tools.length > 0), ...(!mayCall && dialect.toolsOnly(tools)) }
      const body: ChatCompletionCreateParamsStreaming = {
        model: slot.id,
        messages: wireMessages(request.messages, ways),
        ...(mayCall && tools.length > 0 && { tools }),
        ...extras,
        stream: true,
      }
      // `chat.completions.create` looks at each value of the body, and there are hundreds in the tools.
      const options = { body, stream: true, signal: watch.signal }
      try {
        return await ask(options, watch)
      } catch (thrown) {
        if (!dialect.learn(thrown, { extras, ways, tools: body.tools === undefined ? [] : taken })) throw thrown
      }
    }
  }

  async function* stream(request: ModelRequest): AsyncGenerator<ModelChunk> {
    request.signal.throwIfAborted()
    const watch = watchAttempt(patience, request.signal)
    let begun = false
    try {
      const events = await open(request, watch)
      begun = true
      const end = yield* readReply(events, slot.outputLimit, watch.begun)
      if (end === 'nothing' && watch.isPage()) {
        const { host, urlSetting } = endpoint
        throw new ModelFailure('refused', modelWords.noStreamCame({ host, urlSetting }), false)
      }
      if (end === 'nothing' || end === 'broken off') throw new ModelFailure('cut', modelWords.replyCut(), true)
      const calledAnyway = request.mayCall === false && request.tools.length > 0 && end.finish === 'calls'
      if (calledAnyway && dialect.callsAnyway()) throw new ModelFailure('empty', modelWords.emptyReply(), true)
      yield end
    } catch (thrown) {
      // The SDK ends an aborted stream as if it were complete; the signal knows why it was aborted.
      request.signal.throwIfAborted()
      throw watch.failure() ?? failureOf(thrown, endpoint, begun, Date.now())
    } finally {
      watch.end()
    }
  }

  return {
    name: slot.id,
    practice: false,
    contextLimit: slot.contextLimit,
    outputLimit: slot.outputLimit,
    stream,
  }
}
