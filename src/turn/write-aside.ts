import type { Config } from '../config/config.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Answerers } from '../model/answerers.ts'
import { askModel } from '../model/ask.ts'
import { findSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { lastTurn } from '../store/turns.ts'
import { recordSpent, type Spent } from '../store/usage.ts'
import type { Services } from './capability.ts'
import { paidFor, spenderIn } from './paid.ts'
import { sizeOf } from './request-size.ts'

const nobody = {
  thought() {},
  textStarted() {},
  textDelta() {},
  async textDiscarded() {},
  retrying() {},
}

/** Has the base model write a text that is no part of a conversation. It counts for the session's latest turn. */
export const writerBy =
  ({ answerers, store, config }: { answerers: Answerers; store: Store; config: Config }): Services['write'] =>
  async (session, { system, text }, signal) => {
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: text },
    ]
    const { base } = answerers
    if (base === undefined) throw new Error('there is no base model')
    const request = { messages, tools: [], signal }
    const reply = await askModel(base.model, request, config.model.patience, nobody)
    const { spent } = paidFor(reply, base, { sent: () => sizeOf(request) })
    if (spent !== undefined) await record(store, session, spent)
    return reply.text.trim()
  }

async function record(store: Store, id: SessionId, spent: Spent): Promise<void> {
  const [session, turn] = await Promise.all([findSession(store.db, id), lastTurn(store.db, id)])
  if (session === undefined || turn === undefined) return
  await store.transaction((tx) => recordSpent(tx, spenderIn({ turn, session }), spent))
}
