import type { SessionId } from '../../domain/ids.ts'
import { nanosOf } from '../../kit/model/cost.ts'
import { type EmbeddingModel, type EmbeddingSlot, NotPermitted } from '../../kit/model/model.ts'
import { charactersPerToken } from '../../kit/model/tokens.ts'
import { embeddingModel, textsAtOnce } from '../../model/embedding.ts'
import { appendEvents } from '../../store/events.ts'
import { findSession } from '../../store/sessions.ts'
import { lastTurn } from '../../store/turns.ts'
import { recordSpent } from '../../store/usage.ts'
import type { ModelScope } from '../port/scope.ts'
import { turnWords } from '../port/words.ts'
import { costEvent, spenderIn } from '../state/paid.ts'
import type { TurnServices } from '../state/services.ts'
import { costOfFailure } from './reply.ts'

/** One client for each configuration, since it keeps its connections. */
const clients = new WeakMap<EmbeddingSlot, EmbeddingModel>()

/**
 * Vectors of unit length for these texts, in their order. What they cost counts for the session's latest turn and keeps
 * to the same budgets. Throws ModelFailure.
 */
export async function embedAside(
  bot: TurnServices,
  id: SessionId,
  { texts, tool }: { texts: readonly string[]; tool: string },
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { embedding: slot, patience } = bot.config.model
  if (slot === undefined) throw new Error('there is no embedding model')
  const [session, row] = await bot.store.readPatiently(id, (db) => Promise.all([findSession(db, id), lastTurn(db, id)]))
  if (session === undefined || row === undefined) throw new Error(`nobody has said anything in ${id}`)
  const model = clients.get(slot) ?? embeddingModel(slot, patience)
  clients.set(slot, model)
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += textsAtOnce) {
    const some = bot.store.mask(texts.slice(from, from + textsAtOnce))
    vectors.push(...(await paidVectors({ slot, model }, some, { bot, session, row, signal, aside: tool }, bot)))
  }
  return vectors
}

async function paidVectors(
  { slot, model }: { slot: EmbeddingSlot; model: EmbeddingModel },
  texts: readonly string[],
  scope: ModelScope & { aside: string },
  { capabilities, store }: TurnServices,
): Promise<Float32Array[]> {
  const { price } = slot
  const characters = () => texts.reduce((sum, text) => sum + text.length, 0)
  const call = { slot: 'embedding' as const, model: { name: model.name, outputLimit: 0 }, price, characters, images: 0 }
  const permit = await capabilities.hooks.beforeModel(call, scope)
  if (permit.kind !== 'go') throw new NotPermitted(permit.kind === 'stop' ? permit.text : turnWords.notAllowedYet())
  const { reserve } = permit
  const { session, row: turn, aside, signal } = scope
  const { vectors, usage } = await model.embed(texts, signal).catch(async (thrown) => {
    if (reserve !== undefined) await capabilities.hooks.modelFailed(reserve, costOfFailure(thrown), scope)
    throw thrown
  })
  if (price === undefined) return vectors
  // Some servers count nothing.
  const counted = usage ?? { input: Math.ceil(characters() / charactersPerToken), output: 0, cached: 0 }
  const spent = { usage: counted, slot: call.slot, model: model.name, nanos: nanosOf(counted, price), reserve }
  await store.patiently(session.id, async (tx) => {
    await recordSpent(tx, spenderIn({ turn, session }), { ...spent, tools: [aside] })
    await appendEvents(tx, session.id, [costEvent(turn, { ...spent, tools: [] })])
  })
  return vectors
}
