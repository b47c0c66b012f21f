import type { Heard } from '../domain/chat.ts'
import type { Outages } from '../outbound/outages.ts'
import { insertIgnored } from '../store/ignored.ts'
import { countOfAuthor, findByDedupKey } from '../store/inbox.ts'
import { findSessionByThread } from '../store/sessions.ts'
import { type Access, whyIgnored } from '../trust/admit.ts'
import { type ReceiveDeps, receive } from './receive.ts'

export interface HearDeps extends ReceiveDeps {
  access: Access
  ignoredDays: number
  outages: Outages
}

/** What a platform heard: received if it is for the bot and allowed, else its reason is stored. The text then is not kept. */
export async function hear(what: Heard, deps: HearDeps): Promise<{ kind: 'new' | 'duplicate' | 'ignored' }> {
  const { store, access } = deps
  const heard: Heard = what.author === 'bot' ? { ...what, person: { ...what.person, bot: true } } : what
  const reason = whyIgnored(heard, await surroundings(heard, deps), access)
  if (reason === undefined) return receive({ ...heard, addressed: heard.mentioned || heard.direct }, deps)
  if (heard.author === 'self') return { kind: 'ignored' }
  // What was answered before somebody changed the lists stays answered.
  if ((await findByDedupKey(store.db, heard.dedupKey)) !== undefined) return { kind: 'duplicate' }
  await store.transaction((tx) => insertIgnored(tx, { ...heard, reason }))
  return { kind: 'ignored' }
}

async function surroundings({ thread, person, author }: Heard, { store, clock, access }: HearDeps) {
  const known = (await findSessionByThread(store.db, thread)) !== undefined
  const since = clock.now() - access.botWindowMs
  const counts = author === 'bot' && access.bots.includes(person.id)
  const recent = counts ? await countOfAuthor(store.db, thread, person.id, since) : 0
  return { known, recent }
}
