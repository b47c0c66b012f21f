import { doAll } from '../kit/do-all.ts'
import { type ChatPlatform, NotPosted } from '../platforms/platform.ts'
import { appendEvents, findEventByKey } from '../store/events.ts'
import type { OutboxEntry } from '../store/outbox-entry.ts'
import { type Awaited, awaitedIn, markTold, toldIn } from '../store/refused.ts'
import type { Session } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { givenUpWith } from './next-attempt.ts'
import { Poster, type PosterDeps } from './poster.ts'
import { outboundWords } from './words.ts'

export interface RefusedDeps extends PosterDeps {
  report(entry: OutboxEntry, thrown: unknown): void
}

/** Tells screens, once, that an entry people wait for is stuck. */
export async function tellScreens(tx: Tx, { session }: OutboxEntry, refusal: NotPosted): Promise<void> {
  const [stuck] = await awaitedIn(tx.db, session)
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

/**
 * Tells all who wait in the thread, in a direct message or in the channel: each of them once, until something is posted
 * in the thread.
 */
export async function tellElsewhere(refusal: NotPosted, deps: PosterDeps): Promise<void> {
  const { store, session } = deps
  const waiting = Map.groupBy(await awaitedIn(store.db, session.id), whoOf(session))
  const untold = [...waiting].filter(([, theirs]) => !theirs.some(({ isTold }) => isTold))
  // Most attempts end here, and the rest costs more.
  if (untold.length === 0) return
  const told = new Set((await toldIn(store.db, session.id)).map((who) => who ?? session.person.id))
  await doAll(
    untold
      .filter(([who]) => !told.has(who))
      .map(
        ([who, [stuck]]) =>
          async () =>
            stuck && tellOne(who, stuck, refusal, deps),
      ),
  )
}

const whoOf =
  ({ person }: Session) =>
  ({ who = person.id }: Awaited): string =>
    who

async function tellOne(
  who: string,
  { key, kind, createdAt }: Awaited,
  refusal: NotPosted,
  deps: PosterDeps,
): Promise<void> {
  const { store, platform, session } = deps
  const said = { kind, place: placeOf(platform, session), reason: refusal.said }
  const text =
    refusal.remedy === undefined
      ? outboundWords.stuck(said)
      : outboundWords.stuckRemedy({ ...said, remedy: refusal.remedy })
  // A card that is posted again may be refused again.
  if (await tellPerson(`${key}.${createdAt}.told`, who, text, deps)) await store.transaction((tx) => markTold(tx, key))
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
 * this entry is, and each of them once until something later is lost: the key is that of the last they wait for, which
 * stays the same while one entry after the other is given up. Throws only what is worth another attempt.
 */
export async function tellLost(entry: OutboxEntry, loss: Loss, deps: RefusedDeps): Promise<void> {
  const { refusal, blockedSince, ended } = loss
  const { store, platform, session } = deps
  const awaited = await awaitedIn(store.db, session.id)
  const lost = awaited.filter(({ key, createdAt }) => key === entry.key || createdAt <= lostUntil(loss))
  for (const [person, theirs] of Map.groupBy(lost, whoOf(session))) {
    const kind = theirs.some((one) => one.kind === 'card') ? 'card' : 'answer'
    const said = { kind, count: theirs.length, place: placeOf(platform, session), reason: refusal.said }
    const text = blockedSince === undefined ? outboundWords.lost(said) : outboundWords.lostForWeek(said)
    try {
      await tellPerson(`${theirs.at(-1)?.key}.lost`, person, [text, ...ended].join(' '), deps)
    } catch (thrown) {
      if (thrown instanceof NotPosted && thrown.again === 'later') throw thrown
      deps.report(entry, thrown)
    }
  }
}

/** What was stored by then is lost with the entry. */
function lostUntil({ refusal, blockedSince }: Loss): number {
  if (refusal.gone) return Number.POSITIVE_INFINITY
  return blockedSince === undefined ? Number.NEGATIVE_INFINITY : givenUpWith(blockedSince)
}

/** Tells the person in the first place where they can be reached; false when there is none. */
async function tellPerson(key: string, person: string, text: string, deps: PosterDeps): Promise<boolean> {
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

function placeOf(platform: ChatPlatform, { thread }: Session): string {
  const link = platform.link(thread)
  return link === undefined ? outboundWords.ourThread() : outboundWords.linkedThread({ link })
}
