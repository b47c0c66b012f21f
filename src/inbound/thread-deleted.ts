import { somebody, type ThreadRef } from '../domain/chat.ts'
import type { Log } from '../kit/log.ts'
import type { LiveTexts } from '../outbound/live-texts.ts'
import { outboundWords } from '../outbound/words.ts'
import { cancelAlarms } from '../store/alarms.ts'
import { appendEvents } from '../store/events.ts'
import { endJobsOfKind } from '../store/jobs.ts'
import { findSessionByThread } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { stopTurn } from '../turn/state/stop.ts'
import { postingOutputs } from '../turn/state/unfinished-outputs.ts'

interface DeletedDeps {
  store: Store
  liveTexts: LiveTexts
  log: Log
}

/**
 * Somebody deleted the thread on its platform, so nobody waits for an answer or files there, and its alarms would ring
 * for nobody. The log and screens say that alarms end.
 */
export async function endThread(thread: ThreadRef, { store, liveTexts, log }: DeletedDeps): Promise<void> {
  const session = await findSessionByThread(store.db, thread)
  if (session === undefined) return
  const ended = await store.transaction(async (tx) => {
    // As when an alarm rings: the session is held first.
    await tx.hold(session.id)
    if (await stopTurn(tx, session.id, somebody, liveTexts)) tx.wakes(session.id, { interrupts: true })
    await endJobsOfKind(tx, session.id, postingOutputs)
    const count = await cancelAlarms(tx, session.id)
    if (count === 0) return undefined
    const message = outboundWords.alarmsEnded({ count, why: 'gone' })
    await appendEvents(tx, session.id, [{ type: 'warning', data: { code: 'thread_deleted', message } }])
    return message
  })
  if (ended !== undefined) log.warn({ session: session.id }, ended)
}
