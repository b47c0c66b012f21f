import { broken, type Finding, fine, mind } from '../domain/finding.ts'
import { reasonOf } from '../kit/failure.ts'
import { priceWords } from '../kit/model/cost.ts'
import {
  type EmbeddingModel,
  type EmbeddingSlot,
  type Model,
  ModelFailure,
  type ModelSlot,
  type SlotName,
} from '../kit/model/model.ts'
import { doctorWords } from './words.ts'

const longEnoughMs = 60_000

/** Every request of a turn has tools, and some models, or servers as they are set up, refuse all that have. */
const tool = {
  name: 'now',
  description: 'the current time',
  parameters: { type: 'object', properties: {} },
}

/** Asks the model for one word, which costs a few tokens. Turns wait longer for it than `waitMs`. */
export async function* modelFindings(model: Model, slot: SlotName, waitMs = longEnoughMs): AsyncGenerator<Finding> {
  const prefix = `MODEL_${slot.toUpperCase()}`
  const settings = `${prefix}_API_KEY, ${prefix}_BASE_URL and ${prefix}_ID`
  if (model.practice) {
    yield mind(doctorWords.practiceModel(), doctorWords.practiceModelRemedy({ settings }))
    return
  }
  const signal = AbortSignal.timeout(waitMs)
  try {
    const messages = [{ role: 'user' as const, content: 'Reply with the word "ready" and nothing else.' }]
    for await (const { kind } of model.stream({ messages, tools: [tool], signal })) {
      if (kind === 'end') break
    }
    yield fine(doctorWords.modelAnswers({ name: model.name }))
  } catch (thrown) {
    if (thrown instanceof ModelFailure && thrown.why === 'tools') {
      yield slot === 'vision' ? mind(thrown.message, doctorWords.visionWithoutTools()) : broken(thrown.message)
      return
    }
    yield broken(
      doctorWords.modelSilent({ name: model.name, reason: whyNot(thrown, signal, waitMs) }),
      doctorWords.modelSettingsRemedy({ settings }),
    )
  }
}

const whyNot = (thrown: unknown, signal: AbortSignal, waitMs: number): string =>
  signal.aborted ? doctorWords.modelSlow({ seconds: waitMs / 1000 }) : reasonOf(thrown)

/** Asks for one vector. */
export async function* embeddingFindings(model: EmbeddingModel, { price }: EmbeddingSlot): AsyncGenerator<Finding> {
  const prefix = 'MODEL_EMBEDDING'
  const signal = AbortSignal.timeout(longEnoughMs)
  try {
    const { vectors } = await model.embed(['ready'], signal)
    yield fine(doctorWords.embeddingWorks({ name: model.name, count: vectors[0]?.length ?? 0 }))
  } catch (thrown) {
    const settings = `${prefix}_API_KEY, ${prefix}_BASE_URL, ${prefix}_ID and ${prefix}_DIMENSIONS`
    yield broken(
      doctorWords.embeddingSilent({ name: model.name, reason: whyNot(thrown, signal, longEnoughMs) }),
      doctorWords.modelSettingsRemedy({ settings }),
    )
  }
  if (price !== undefined) yield fine(doctorWords.embeddingPrice({ cost: priceWords(price.input) }))
}

/** What is known of a slot's model, and what is only assumed. */
export function* figureFindings(slot: ModelSlot, name: SlotName, pricesOf: string): Generator<Finding> {
  const { id, contextLimit, outputLimit, price, can, assumed } = slot
  const limits = `${contextLimit.toLocaleString('en')} tokens of context and ${outputLimit.toLocaleString('en')} of output`
  if (assumed) {
    const prefix = `MODEL_${name.toUpperCase()}`
    yield mind(
      `${id} isn’t listed in config/known_models.json, so I assume ${limits}.`,
      doctorWords.unknownLimitsRemedy({ prefix }),
    )
  } else yield fine(`${id} has ${limits}${can === undefined ? '' : `, and can: ${can.join(', ')}`}.`)
  if (price === undefined) return
  const parts = [
    `${priceWords(price.input)} in`,
    ...(price.cached === undefined ? [] : [`${priceWords(price.cached)} cached`]),
  ]
  yield fine(doctorWords.modelPrice({ costs: parts.join(', '), output: priceWords(price.output), pricesOf }))
}
