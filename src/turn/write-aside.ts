import type { SessionId } from '../domain/ids.ts'
import { ModelFailure, type ModelRequest } from '../kit/model/model.ts'
import type { Answerer } from '../model/answerers.ts'
import { appendEvents } from '../store/events.ts'
import { findSession } from '../store/sessions.ts'
import { lastTurn } from '../store/turns.ts'
import { recordSpent } from '../store/usage.ts'
import type { AsideOrder } from './aside.ts'
import { askWatched } from './ask-watched.ts'
import type { ModelScope } from './capability.ts'
import { costEvent, spenderIn } from './paid.ts'
import { costOfFailure } from './reply.ts'
import { sizeOf } from './request-size.ts'
import type { TurnServices } from './services.ts'

const nobody = {
  thought() {},
  textStarted() {},
  textDelta() {},
  async textDiscarded() {},
  retrying() {},
}

/**
 * Has the base model write a text that isn't part of a conversation. It counts for the session's latest turn and keeps
 * to the same budgets. Throws ModelFailure.
 */
export async function writeAside(
  bot: TurnServices,
  id: SessionId,
  { system, text, tool }: AsideOrder,
  signal: AbortSignal,
): Promise<string> {
  const { base } = bot.answerers
  if (base === undefined) throw new Error('there is no base model')
  const { db } = bot.store
  const [session, row] = await Promise.all([findSession(db, id), lastTurn(db, id)])
  if (session === undefined || row === undefined) throw new Error(`nobody has said anything in ${id}`)
  const messages: ModelRequest['messages'] = [
    { role: 'system', content: system },
    { role: 'user', content: text },
  ]
  return paidText(base, { messages, tools: [], signal }, { bot, session, row, signal, aside: tool }, bot)
}

async function paidText(
  base: Answerer,
  request: ModelRequest,
  scope: ModelScope & { aside: string },
  { capabilities, config, store }: TurnServices,
): Promise<string> {
  const sent = () => sizeOf(request)
  const permit = await capabilities.hooks.beforeModel({ ...base, characters: sent, images: 0 }, scope)
  if (permit.kind !== 'go')
    throw new ModelFailure('refused', permit.kind === 'stop' ? permit.text : 'Nobody has allowed it yet.', false)
  const { reserve } = permit
  const { session, row: turn, aside } = scope
  const watched = { listener: nobody, reserve, place: { session: session.id }, capabilities }
  const { reply, paid } = await askWatched(base, request, { patience: config.model.patience, ...watched }).catch(
    async (thrown) => {
      if (reserve !== undefined) await capabilities.hooks.modelFailed(reserve, costOfFailure(thrown), scope)
      throw thrown
    },
  )
  const { spent } = paid
  if (spent !== undefined)
    await store.transaction(async (tx) => {
      await recordSpent(tx, spenderIn({ turn, session }), { ...spent, tools: [aside] })
      await appendEvents(tx, session.id, [costEvent(turn, spent)])
    })
  return reply.text.trim()
}
