import type { Heard } from '../domain/chat.ts'
import type { Outages } from '../outbound/outages.ts'
import { insertIgnored } from '../store/ignored.ts'
import { countOfAuthor, findByDedupKey } from '../store/inbox.ts'
import { findSessionByThread } from '../store/sessions.ts'
import { type Access, whyIgnored } from '../trust/admit.ts'
import { type ReceiveDeps, receiveIn } from './receive.ts'

export interface HearDeps extends ReceiveDeps {
  access: Access
  ignoredDays: number
  outages: Outages
}

/** What a platform heard: received if it is for the bot and allowed, else its reason is stored. The text then is not kept. */
export async function hear(what: Heard, deps: HearDeps): Promise<{ kind: 'new' | 'duplicate' | 'ignored' }> {
  const { store, access } = deps
  const heard: Heard = what.author === 'bot' ? { ...what, person: { ...what.person, bot: true } } : what
  const session = await findSessionByThread(store.db, heard.thread)
  const surroundings = { known: session !== undefined, recent: await recentOf(heard, deps) }
  const reason = whyIgnored(heard, surroundings, access)
  if (reason === undefined) return receiveIn(session, { ...heard, addressed: heard.mentioned || heard.direct }, deps)
  if (heard.author === 'self') return { kind: 'ignored' }
  // What was answered before somebody changed the lists stays answered.
  if ((await findByDedupKey(store.db, heard.dedupKey)) !== undefined) return { kind: 'duplicate' }
  await store.transaction((tx) => insertIgnored(tx, { ...heard, reason }))
  return { kind: 'ignored' }
}

/** How much of another bot was answered lately. */
async function recentOf({ thread, person, author }: Heard, { store, clock, access }: HearDeps): Promise<number> {
  if (author !== 'bot' || !access.bots.includes(person.id)) return 0
  return countOfAuthor(store.db, thread, person.id, clock.now() - access.botWindowMs)
}
