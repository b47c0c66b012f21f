import { setTimeout as sleep } from 'node:timers/promises'
import type OpenAI from 'openai'
import { z } from 'zod'
import {
  type Embedded,
  type EmbeddingModel,
  type EmbeddingSlot,
  ModelFailure,
  type ModelPatience,
} from '../kit/model/model.ts'
import { leastCharactersPerToken } from '../kit/model/tokens.ts'
import { failureOf } from './failures.ts'
import { clientFor, endpointOf, settingsOf, watching } from './openai.ts'
import { haveCost, nextTry } from './retry.ts'
import { watchAttempt } from './watch.ts'
import { modelWords } from './words.ts'

/** Texts of one request: local servers refuse many more. */
export const textsAtOnce = 64

/** For a model of which nothing is known: many take no more than 512 tokens. */
const assumedCharacters = 1_500

/** What one text may have: the rest of it says nothing new. */
const mostCharacters = 8_000

const answer = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
  // Some servers send zero without having counted.
  usage: z
    .object({ prompt_tokens: z.int().min(1) })
    .optional()
    .catch(undefined),
})

/** A model behind any endpoint that speaks OpenAI's `/embeddings`. */
export function embeddingModel(slot: EmbeddingSlot, patience: ModelPatience): EmbeddingModel {
  const endpoint = endpointOf(slot, settingsOf('embedding'))
  let client: OpenAI | undefined
  const most = slot.assumed
    ? assumedCharacters
    : Math.max(1, Math.min(mostCharacters, slot.contextLimit * leastCharactersPerToken))

  async function attempt(texts: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const watch = watchAttempt(patience, signal)
    const body = {
      model: slot.id,
      // Some servers refuse an empty text.
      input: texts.map((text) => text.slice(0, most).toWellFormed().trim() || '-'),
      encoding_format: 'float',
      ...(slot.dimensions === undefined ? {} : { dimensions: slot.dimensions }),
    }
    try {
      const asked = client ?? clientFor(slot)
      client = asked
      return embedded(await watching.run(watch, () => asked.post('/embeddings', { body, signal: watch.signal })), texts)
    } catch (thrown) {
      signal.throwIfAborted()
      throw watch.failure() ?? failureOf(thrown, endpoint, false, Date.now())
    } finally {
      watch.end()
    }
  }

  function embedded(reply: unknown, texts: readonly string[]): Embedded {
    const parsed = answer.safeParse(reply)
    if (!parsed.success) throw strange('not the vectors of texts')
    const { data, usage } = parsed.data
    const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]))
    const vectors = texts.map((_, index) => unit(byIndex.get(index) ?? []))
    const [first] = vectors
    if (data.length !== texts.length || vectors.some((one) => one === undefined || one.length !== first?.length))
      throw strange(`not one vector for each of ${texts.length} texts`)
    if (slot.dimensions !== undefined && first?.length !== slot.dimensions)
      throw strange(`${first?.length} dimensions instead of MODEL_EMBEDDING_DIMENSIONS (${slot.dimensions})`)
    return {
      vectors: vectors.filter((one) => one !== undefined),
      usage: usage && { input: usage.prompt_tokens, output: 0, cached: 0 },
    }
  }

  const strange = (what: string) =>
    new ModelFailure('refused', modelWords.embeddingUnfit({ ...endpoint, id: slot.id, what }), false)

  return {
    name: slot.id,
    async embed(texts, signal) {
      const failures: ModelFailure[] = []
      for (;;) {
        signal.throwIfAborted()
        try {
          return await attempt(texts, signal)
        } catch (thrown) {
          if (!(thrown instanceof ModelFailure)) throw thrown
          failures.push(thrown)
          thrown.mayHaveCost = haveCost(failures)
          const next = nextTry(failures, patience, Math.random)
          if (next.do === 'give-up') throw thrown
          await sleep(next.waitMs, undefined, { signal })
        }
      }
    },
  }
}

/** Undefined if it has no direction. */
function unit(numbers: number[]): Float32Array | undefined {
  const length = Math.hypot(...numbers)
  return length > 0 && Number.isFinite(length) ? Float32Array.from(numbers, (one) => one / length) : undefined
}
