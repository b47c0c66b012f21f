import { type ChatPlatform, NotPosted } from '../platforms/platform.ts'
import { appendEvents, findEventByKey } from '../store/events.ts'
import type { OutboxEntry } from '../store/outbox-entry.ts'
import { firstStuck, markTold, type Stuck, whoWaitIn } from '../store/refused.ts'
import type { Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { findTurn } from '../store/turns.ts'
import { givenUpWith } from './next-attempt.ts'
import { Poster, type PosterDeps } from './poster.ts'
import { outboundWords } from './words.ts'

/** Tells screens, once, that an entry people wait for is stuck. */
export async function tellScreens(tx: Tx, { session }: OutboxEntry, refusal: NotPosted): Promise<void> {
  const stuck = await firstStuck(tx.db, session)
  if (stuck === undefined) return
  const key = `waits:${stuck.key}`
  if ((await findEventByKey(tx.db, key)) !== undefined) return
  const { message: reason, remedy } = refusal
  const message =
    remedy === undefined
      ? outboundWords.notPostedYet({ kind: stuck.kind, reason })
      : outboundWords.notPostedYetRemedy({ kind: stuck.kind, reason, remedy })
  await appendEvents(
    tx,
    session,
    [{ type: 'warning', data: { turn_id: stuck.turn, code: 'waits_to_be_posted', message } }],
    key,
  )
}

/** Tells the person who waits for it, once, in a direct message or in the channel. */
export async function tellElsewhere(refusal: NotPosted, deps: PosterDeps): Promise<void> {
  const { store, platform, session } = deps
  const stuck = await firstStuck(store.db, session.id)
  if (stuck === undefined || stuck.told) return
  const said = { kind: stuck.kind, place: placeOf(platform, session), reason: refusal.said }
  const text =
    refusal.remedy === undefined
      ? outboundWords.stuck(said)
      : outboundWords.stuckRemedy({ ...said, remedy: refusal.remedy })
  const person = await whoWaits(store, session, stuck)
  if (await isTold(`${stuck.key}.told`, person, text, deps)) await store.transaction((tx) => markTold(tx, stuck.key))
}

export interface Loss {
  refusal: NotPosted
  /** Since when nothing could be posted in the thread, if that is why: all that has waited there for long is lost. */
  blockedSince: number | undefined
  /** What is said too. */
  ended: string[]
}

/**
 * Tells the person who would wait for ever. If the thread takes nothing, all who wait there are told at once, whatever
 * this entry is, and each of them once. Throws only what is worth another attempt.
 */
export async function tellLost(entry: OutboxEntry, loss: Loss, deps: PosterDeps): Promise<void> {
  const { refusal, blockedSince } = loss
  if (refusal.gone || blockedSince !== undefined) return tellAll(loss, deps)
  const { key, kind } = entry
  if (kind !== 'answer' && kind !== 'card') return
  const { store, platform, session } = deps
  const text = outboundWords.lost({ kind, count: 1, place: placeOf(platform, session), reason: refusal.said })
  await isTold(`${key}.lost`, await whoWaits(store, session, entry), text, deps)
}

async function tellAll({ refusal, blockedSince, ended }: Loss, deps: PosterDeps): Promise<void> {
  const { store, platform, session } = deps
  const until = blockedSince === undefined ? Number.POSITIVE_INFINITY : givenUpWith(blockedSince)
  const lost = (await whoWaitIn(store.db, session.id)).filter(({ createdAt }) => createdAt <= until)
  for (const [person, theirs] of Map.groupBy(lost, ({ who = session.person.id }) => who)) {
    const kind = theirs.some((one) => one.kind === 'card') ? 'card' : 'answer'
    const said = { kind, count: theirs.length, place: placeOf(platform, session), reason: refusal.said }
    const text = blockedSince === undefined ? outboundWords.lost(said) : outboundWords.lostForWeek(said)
    await isTold(`${session.id}.${blockedSince ?? 'gone'}.${person}.lost`, person, [text, ...ended].join(' '), deps)
  }
}

/** Tells the person in the first place where they can be reached; false when there is none. */
async function isTold(key: string, person: string, text: string, deps: PosterDeps): Promise<boolean> {
  const { platform, session } = deps
  const [page] = platform.pages({ kind: 'answer', text, files: [], record: undefined })
  for (const [place, thread] of (await platform.elsewhere(session.thread, person)).entries()) {
    const poster = new Poster({ ...deps, session: { ...session, thread } })
    if (await isPosted(() => poster.page(`${key}.${place}`, page))) return true
  }
  return false
}

async function isPosted(post: () => Promise<unknown>): Promise<boolean> {
  try {
    await post()
    return true
  } catch (thrown) {
    // The bot has no access there either.
    if (thrown instanceof NotPosted && thrown.again !== 'later') return false
    throw thrown
  }
}

async function whoWaits(store: Store, session: Session, { turn }: Pick<Stuck, 'turn'>): Promise<string> {
  const found = turn === undefined ? undefined : await findTurn(store.db, turn)
  return (found?.person ?? session.person).id
}

function placeOf(platform: ChatPlatform, { thread }: Session): string {
  const link = platform.link(thread)
  return link === undefined ? outboundWords.ourThread() : outboundWords.linkedThread({ link })
}
