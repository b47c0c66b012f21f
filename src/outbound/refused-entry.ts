import { codePath } from '../kit/text/shown.ts'
import { NotPosted } from '../platforms/platform.ts'
import { cancelAlarms, pendingAlarms } from '../store/alarms.ts'
import { setDeadline } from '../store/deadlines.ts'
import { appendEvents } from '../store/events.ts'
import { insertOutbox } from '../store/outbox.ts'
import type { OutboxEntry } from '../store/outbox-entry.ts'
import { isUnderWay, markFailed, markRefused, refusesSince, waitedAsLong } from '../store/refused.ts'
import { homeOf } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { endReminders } from '../trust/remind.ts'
import type { Rules } from '../trust/rules.ts'
import { givenUpWith } from './next-attempt.ts'
import { type RefusedDeps, tellElsewhere, tellLost, tellScreens } from './tell-stuck.ts'
import { outboundWords } from './words.ts'

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
  const isMarked = await deps.store.transaction(async (tx) => {
    const isOurs = await markRefused(tx, entry, { reason: refusal.message, remedy: refusal.remedy ?? '', ...when })
    if (isOurs && entry.kind !== 'files') await tellScreens(tx, entry, refusal)
    return isOurs
  })
  if (isMarked && entry.kind !== 'files') await tellElsewhere(refusal, deps)
}

/**
 * The thread or message is gone, or nobody fixed it in time. Later entries are still tried, but after a week the older
 * of them only once. If the thread is gone, or has taken nothing for a week, its alarms would ring for nobody, so they
 * end, and all who wait for an answer there are told so; not if nothing is taken anywhere. Changes nothing if another
 * process has made an attempt since.
 */
export async function giveUp(
  entry: OutboxEntry,
  refusal: NotPosted,
  deps: RefusedDeps & { rules: Rules },
): Promise<void> {
  const { message: reason } = refusal
  // A frozen process hears of the refusal late.
  if (!(await isUnderWay(deps.store.db, entry))) return
  const isOverWeek = refusal.again !== 'never'
  // Files that come later hold up nothing else in the thread.
  const blockedSince = isOverWeek && entry.kind !== 'files' ? entry.refusedAt : undefined
  const isLost = refusal.gone || (blockedSince !== undefined && !refusal.everywhere)
  const alarmsEnded = (count: number) =>
    count === 0 ? [] : [outboundWords.alarmsEnded({ count, why: isOverWeek ? 'week' : 'gone' })]
  const ending = alarmsEnded(isLost ? (await pendingAlarms(deps.store.db, entry.session)).length : 0)
  // First, because after a crash nobody would tell them.
  await tellLost(entry, { refusal, blockedSince, ended: ending }, deps)
  const ended = await deps.store.transaction(async (tx) => {
    // As when an alarm rings: the session is held first.
    if (isLost) await tx.hold(entry.session)
    if (!(await markFailed(tx, entry, reason))) return undefined
    // Some may have been set while people were told.
    const ended = alarmsEnded(isLost ? await cancelAlarms(tx, entry.session) : 0)
    if (blockedSince !== undefined)
      await waitedAsLong(tx, entry.session, { since: blockedSince, until: givenUpWith(blockedSince) })
    // Later reminders would be lost as well.
    if (refusal.gone) await endReminders(tx, homeOf(deps.session), deps.rules)
    if (entry.kind === 'files' && !refusal.gone) await tellFilesLost(tx, entry, refusal)
    // Nobody will ever see this card, so the turn must not wait for it.
    if (entry.kind === 'card') await setDeadline(tx, entry.payload.request, tx.now)
    const message = [...notPosted(entry, reason), ...ended].join(' ')
    const data = { turn_id: entry.turn, code: 'not_posted', message }
    if (message !== '') await appendEvents(tx, entry.session, [{ type: 'warning', data }])
    return ended
  })
  if (ended === undefined) return
  const why = isOverWeek ? outboundWords.failedForWeek({ reason }) : reason
  deps.report(entry, new NotPosted('never', [why, ...ended].join('. ')))
}

/** The thread was told that they come later. If it takes nothing else either, one more message there helps nobody. */
async function tellFilesLost(tx: Tx, entry: OutboxEntry & { kind: 'files' }, refusal: NotPosted): Promise<void> {
  const { key, session, turn } = entry
  const { files } = entry.payload
  if (entry.refusedAt !== undefined && (await refusesSince(tx.db, session, entry.refusedAt))) return
  const { remedy } = refusal
  const reason = refusal.said.replace(/\.$/, '')
  const said = { names: files.map(({ name }) => codePath(name)).join(', '), reason, count: files.length }
  const text = remedy === undefined ? outboundWords.filesLost(said) : outboundWords.filesLostRemedy({ ...said, remedy })
  await insertOutbox(tx, { key: `${key}.lost`, session, turn, kind: 'answer', payload: { text, files: [] } })
}

/** What screens are told is missing in the thread, if anything is. */
function notPosted(entry: OutboxEntry, reason: string): string[] {
  if (entry.kind === 'outcome' || entry.kind === 'record') return []
  const what = entry.kind === 'files' ? entry.payload.files.map(({ name }) => name).join(', ') : outboundWords.this()
  return [outboundWords.notPosted({ what, reason })]
}
