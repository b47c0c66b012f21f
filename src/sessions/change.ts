import { createHash } from 'node:crypto'
import type { Change } from '../domain/chat.ts'
import type { MessageId } from '../domain/ids.ts'
import { plainName } from '../domain/text.ts'
import { appendEvents, eventAt } from '../store/events.ts'
import { findByDedupKey, type InboxPayload, insertInbox, rewriteInbox, takeInbox } from '../store/inbox.ts'
import type { Tx } from '../store/store.ts'
import { openTurn } from '../store/turns.ts'
import { type HearDeps, hear } from './hear.ts'
import { stopTurn } from './stop.ts'

/**
 * A message was edited or deleted. One that was not read yet is read as it is now, or not at all. One that was read stays in the
 * history, and the model is told with what comes next; deleting what the running turn is about ends the turn. One that was
 * not for the bot may be so now.
 */
export async function change(changed: Change, deps: HearDeps): Promise<void> {
  const outcome = await deps.store.transaction((tx) => apply(tx, changed))
  if (outcome === 'unknown') {
    if (changed.now !== undefined) await hear(changed.now, deps)
    return
  }
  if (outcome === undefined) return
  if (outcome.stopped) deps.engine.interrupt(outcome.session)
  deps.engine.wake(outcome.session)
}

async function apply(tx: Tx, { dedupKey, person, now }: Change) {
  const received = await findByDedupKey(tx.db, dedupKey)
  if (received === undefined) return 'unknown'
  if (received.kind !== 'message') return undefined
  const { session, seq } = received
  // What insertInbox was given for this kind.
  const payload = received.payload as InboxPayload['message']
  const text = now?.text ?? null
  if (text === payload.text) return undefined
  const key = `${dedupKey}:${text === null ? 'deleted' : createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  if ((await findByDedupKey(tx.db, key)) !== undefined) return undefined
  const eventId = await tellScreens(tx, received, text, person)

  if (received.state !== 'taken') {
    if (text === null) await takeInbox(tx, session, [seq], null)
    else await rewriteInbox(tx, session, seq, { ...payload, text })
    return { session, stopped: false }
  }
  const turn = await openTurn(tx.db, session)
  if (text === null && turn?.inboxSeq === seq) return { session, stopped: await stopTurn(tx, session, person) }
  const name = plainName(person.name)
  const note =
    text === null
      ? `[The program] ${name} has deleted an earlier message: do not go by it, and do not repeat it.`
      : `[The program] ${name} has edited an earlier message. It now reads: ${text}`
  const said = { person, text: '', files: [], note }
  await insertInbox(tx, session, { dedupKey: key, kind: 'message', payload: said, eventId, state: 'held' })
  return { session, stopped: false }
}

async function tellScreens(
  tx: Tx,
  received: { session: Parameters<typeof eventAt>[1]; eventId: number },
  text: string | null,
  person: Change['person'],
): Promise<number> {
  const told = await eventAt(tx.db, received.session, received.eventId)
  const message_id: MessageId = told?.type === 'message' ? told.data.message_id : 'msg_'
  return appendEvents(tx, received.session, [{ type: 'changed', data: { message_id, text, person } }])
}
