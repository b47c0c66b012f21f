import { type ChatPlatform, NotPosted } from '../platforms/platform.ts'
import { appendEvents, findEventByKey } from '../store/events.ts'
import type { OutboxEntry } from '../store/outbox.ts'
import { firstStuck, markTold, type Stuck } from '../store/refused.ts'
import type { Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { findTurn } from '../store/turns.ts'
import { Poster, type PosterDeps } from './poster.ts'

const things: Record<Stuck['kind'], string> = { answer: 'my answer', card: 'something that needs your answer' }

/** Screens are told that something waits, once for each thing that people wait for. */
export async function tellScreens(tx: Tx, { session }: OutboxEntry, refusal: NotPosted): Promise<void> {
  const stuck = await firstStuck(tx.db, session)
  if (stuck === undefined) return
  const key = `waits:${stuck.key}`
  if ((await findEventByKey(tx.db, key)) !== undefined) return
  const what = stuck.kind === 'card' ? 'A card' : 'The answer'
  const message = `${what} couldn't be posted in the thread yet: ${refusal.message}. ${remedyOf(refusal)} Bobbin keeps trying.`
  await appendEvents(
    tx,
    session,
    [{ type: 'warning', data: { turn_id: stuck.turn, code: 'waits_to_be_posted', message } }],
    key,
  )
}

/** The person who waits for it is told elsewhere, once: in a direct message, or in the channel. */
export async function tellElsewhere(refusal: NotPosted, deps: PosterDeps): Promise<void> {
  const { store, platform, session } = deps
  const stuck = await firstStuck(store.db, session.id)
  if (stuck === undefined || stuck.told) return
  const person = await whoWaits(store, session, stuck)
  const text = wordsFor(stuck, refusal, platform, session)
  const [page] = platform.pages({ kind: 'answer', text, files: [], record: undefined })
  for (const [place, thread] of (await platform.elsewhere(session.thread, person)).entries()) {
    const poster = new Poster({ ...deps, session: { ...session, thread } })
    if (!(await isPosted(() => poster.page(`${stuck.key}.told.${place}`, page)))) continue
    await store.transaction((tx) => markTold(tx, stuck.key))
    return
  }
}

async function isPosted(post: () => Promise<unknown>): Promise<boolean> {
  try {
    await post()
    return true
  } catch (thrown) {
    // The bot is not let in there either.
    if (thrown instanceof NotPosted && thrown.again !== 'later') return false
    throw thrown
  }
}

async function whoWaits(store: Store, session: Session, { turn }: Stuck): Promise<string> {
  const found = turn === undefined ? undefined : await findTurn(store.db, turn)
  return (found?.person ?? session.person).id
}

function wordsFor({ kind }: Stuck, refusal: NotPosted, platform: ChatPlatform, { thread }: Session): string {
  const link = platform.link(thread)
  const where = link === undefined ? 'our thread' : `[this thread](${link})`
  return `I couldn't post ${things[kind]} in ${where} because ${refusal.said}. ${remedyOf(refusal)} I'll post it as soon as I can.`
}

const remedyOf = ({ remedy }: NotPosted): string => (remedy === undefined ? '' : `${remedy}.`)
