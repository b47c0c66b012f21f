import { NotPosted } from '../platforms/platform.ts'
import { cancelAlarms } from '../store/alarms.ts'
import { appendEvents } from '../store/events.ts'
import { markFailed } from '../store/outbox.ts'
import type { OutboxEntry } from '../store/outbox-entry.ts'
import { markRefused, waitedAsLong } from '../store/refused.ts'
import { expireRequest } from '../store/requests.ts'
import type { PosterDeps } from './poster.ts'
import { tellElsewhere, tellLost, tellScreens } from './tell-stuck.ts'
import { outboundWords } from './words.ts'

interface RefusedDeps extends PosterDeps {
  report(entry: OutboxEntry, thrown: unknown): void
}

/**
 * Somebody has to fix something first. Until then later entries of the thread wait, and the people concerned are told.
 */
export async function waitForRepair(
  entry: OutboxEntry,
  refusal: NotPosted,
  when: { at: number; nextAt(): number },
  deps: RefusedDeps,
): Promise<void> {
  deps.report(entry, refusal)
  await deps.store.transaction(async (tx) => {
    await markRefused(tx, entry.key, { reason: refusal.message, remedy: refusal.remedy ?? '', ...when })
    if (entry.kind !== 'files') await tellScreens(tx, entry, refusal)
  })
  if (entry.kind !== 'files') await tellElsewhere(refusal, deps)
}

/**
 * The thread or message is gone, or nobody fixed it in time. Later entries are still tried. If the thread is gone, its
 * alarms would ring for nobody, so they end.
 */
export async function giveUp(entry: OutboxEntry, refusal: NotPosted, deps: RefusedDeps): Promise<void> {
  // First, because after a crash nobody would tell them.
  await tellLoss(entry, refusal, deps)
  deps.report(
    entry,
    refusal.again === 'never'
      ? refusal
      : new NotPosted('never', outboundWords.failedForWeek({ reason: refusal.message })),
  )
  await deps.store.transaction(async (tx) => {
    await markFailed(tx, entry.key, refusal.message)
    if (refusal.gone) {
      // As when an alarm rings: the session is held first.
      await tx.hold(entry.session)
      await cancelAlarms(tx, entry.session)
    }
    if (refusal.again !== 'never' && entry.refusedAt !== undefined)
      await waitedAsLong(tx, entry.session, entry.refusedAt)
    // Nobody will ever see this card, so the turn must not wait for it.
    if (entry.kind === 'card') await expireRequest(tx, entry.payload.request)
    if (entry.kind === 'outcome' || entry.kind === 'record') return
    const what = entry.kind === 'files' ? entry.payload.files.map(({ name }) => name).join(', ') : outboundWords.this()
    const message = outboundWords.notPosted({ what, reason: refusal.message })
    const data = { turn_id: entry.turn, code: 'not_posted', message }
    await appendEvents(tx, entry.session, [{ type: 'warning', data }])
  })
}

async function tellLoss(entry: OutboxEntry, refusal: NotPosted, deps: RefusedDeps): Promise<void> {
  try {
    await tellLost(entry, refusal, deps)
  } catch (thrown) {
    if (thrown instanceof NotPosted && thrown.again === 'later') throw thrown
    deps.report(entry, thrown)
  }
}
