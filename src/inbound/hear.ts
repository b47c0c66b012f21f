import { type Heard, overheard } from '../domain/chat.ts'
import type { SessionId, TurnId } from '../domain/ids.ts'
import type { Outages } from '../outbound/outages.ts'
import type { HeardOutcome } from '../platforms/inbound-sink.ts'
import { aloneWith, DeletedFirst, insertIgnored, wasUnnamed } from '../store/ignored.ts'
import { findByDedupKey } from '../store/inbox.ts'
import { findSessionByThread } from '../store/sessions.ts'
import { countOfAuthor } from '../store/who-wrote.ts'
import { type Access, whyIgnored } from '../trust/admit.ts'
import { NotTaken } from './receipt.ts'
import { type ReceiveDeps, receiveIn } from './receive.ts'
import type { KeepDays } from './retention.ts'

/** How far the platform's clock and ours may be apart, ms. */
const clocksApartMs = 60_000

export interface HearDeps extends ReceiveDeps, KeepDays {
  access: Access
  outages: Outages
  /** What plug-ins make of a message that the turn has read; undefined if they take too long. Without any, it stays. */
  userMessage: ((text: string, read: { session: SessionId; turn: TurnId }) => Promise<string | undefined>) | undefined
}

/** Receives a message if it's for the bot and allowed. Otherwise only the reason is stored, without the text. */
export async function hear(what: Heard, deps: HearDeps): Promise<HeardOutcome> {
  try {
    return await judge(what, deps)
  } catch (thrown) {
    if (thrown instanceof DeletedFirst) return { kind: 'ignored' }
    if (thrown instanceof NotTaken) return { kind: 'not-taken' }
    throw thrown
  }
}

async function judge(what: Heard, deps: HearDeps): Promise<HeardOutcome> {
  const { store, access } = deps
  const heard: Heard = what.author === 'bot' ? { ...what, person: { ...what.person, bot: true } } : what
  const session = await findSessionByThread(store.db, heard.thread)
  const surroundings = { known: session !== undefined, recent: await recentOf(heard, deps) }
  const reason = whyIgnored(heard, surroundings, access)
  if (reason === undefined) {
    // A thread may be older than the setting.
    const { timeZone = deps.timeZone } = heard
    const { kind } = await receiveIn(session, { ...heard, timeZone, addressed: heard.mentioned || heard.direct }, deps)
    return { kind, ...(session === undefined && (await cameLate(heard, deps)) && { cameLate: true }) }
  }
  if (heard.author === 'self') return { kind: 'ignored' }
  const isReceived = await store.transaction(async (tx) => {
    // Another process may be receiving it.
    await aloneWith(tx, heard.dedupKey)
    // A message that was already received stays so, even if the lists have changed since.
    if ((await findByDedupKey(tx.db, heard.dedupKey)) !== undefined) return true
    await insertIgnored(tx, { ...heard, reason })
    return false
  })
  if (isReceived) return { kind: 'duplicate' }
  // Another process may have begun this thread meanwhile.
  const isThere = reason === overheard.unnamed && (await findSessionByThread(store.db, heard.thread)) !== undefined
  return isThere ? judge(what, deps) : { kind: 'ignored' }
}

/** Several processes, or a platform that retries, may bring the replies before the message that begins the thread. */
const cameLate = ({ thread, at }: Heard, { store }: HearDeps): Promise<boolean> =>
  wasUnnamed(store.db, thread, at - clocksApartMs)

/** How many messages of another bot were answered lately. */
async function recentOf({ thread, person, author }: Heard, { store, clock, access }: HearDeps): Promise<number> {
  if (author !== 'bot' || !access.bots.includes(person.id)) return 0
  return countOfAuthor(store.db, thread, person.id, clock.now() - access.botWindowMs)
}
