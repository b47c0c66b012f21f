import { type ChatPlatform, NotPosted } from '../platforms/platform.ts'
import { appendEvents, findEventByKey } from '../store/events.ts'
import type { OutboxEntry } from '../store/outbox-entry.ts'
import { firstStuck, markTold, type Stuck } from '../store/refused.ts'
import type { Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { findTurn } from '../store/turns.ts'
import { Poster, type PosterDeps } from './poster.ts'
import { outboundWords } from './words.ts'

type Thing = Pick<Stuck, 'key' | 'kind' | 'turn'>

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
  if (await isTold(`${stuck.key}.told`, stuck, text, deps)) await store.transaction((tx) => markTold(tx, stuck.key))
}

/** Tells the person who would wait for ever, once; `more` is said too. Throws only what is worth another attempt. */
export async function tellLost(
  entry: OutboxEntry,
  refusal: NotPosted,
  more: string[],
  deps: PosterDeps,
): Promise<void> {
  const { key, kind, turn } = entry
  if (kind !== 'answer' && kind !== 'card') return
  const lost = { key, kind, turn }
  const text = outboundWords.lost({ kind, place: placeOf(deps.platform, deps.session), reason: refusal.said })
  await isTold(`${key}.lost`, lost, [text, ...more].join(' '), deps)
}

/** Tells the person in the first place where they can be reached; false when there is none. */
async function isTold(key: string, thing: Thing, text: string, deps: PosterDeps): Promise<boolean> {
  const { store, platform, session } = deps
  const person = await whoWaits(store, session, thing)
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

async function whoWaits(store: Store, session: Session, { turn }: Thing): Promise<string> {
  const found = turn === undefined ? undefined : await findTurn(store.db, turn)
  return (found?.person ?? session.person).id
}

function placeOf(platform: ChatPlatform, { thread }: Session): string {
  const link = platform.link(thread)
  return link === undefined ? outboundWords.ourThread() : outboundWords.linkedThread({ link })
}
