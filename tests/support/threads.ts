import { expect, onTestFinished } from 'vitest'
import { databasePlace } from '../../src/config/config.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import { newId, type SessionId } from '../../src/domain/ids.ts'
import { appendEvents, eventAt } from '../../src/store/events.ts'
import { insertInbox } from '../../src/store/inbox.ts'
import { createSession } from '../../src/store/new-session.ts'
import { deleteOld } from '../../src/store/retention.ts'
import type { ProjectRef, Session } from '../../src/store/sessions.ts'
import { Store } from '../../src/store/store.ts'
import type { TestBot } from './bot.ts'
import { eventually } from './until.ts'

/** Writes to a running bot's data what a missing platform would write. */
export async function storeOf({ config }: TestBot): Promise<Store> {
  const store = await Store.open(databasePlace(config), { now: () => Date.now() })
  onTestFinished(() => store.close())
  return store
}

export const inSlack = (project = 'C1'): ProjectRef => ({ platform: 'slack', tenant: 'T1', project })

const person = { id: 'U1', name: 'Ana Novak' }

/** A thread of another platform. */
export async function threadIn(
  store: Store,
  place: ProjectRef,
  title: string,
  events: NewEvent[] = [],
): Promise<Session> {
  const thread = { ...place, thread: newId('msg') }
  const session = await store.transaction((tx) => createSession(tx, { thread, person, title, timeZone: 'UTC' }))
  await store.transaction((tx) => appendEvents(tx, session.id, events))
  return session
}

/** A background job tells its cost once a thread rests, and all such events are deleted, as they are once they are old. */
export async function loseLastEvent(bot: TestBot, thread: string): Promise<void> {
  const store = await storeOf(bot)
  const id = thread as SessionId
  const ofJob = { slot: 'base', model: 'm', tokens_in: 1, tokens_cached: 0, tokens_written: 0, tokens_out: 1 }
  const data = { ...ofJob, turn_id: newId('turn'), tokens_reasoning: 0, usd: 0.01 }
  const last = await store.transaction((tx) => appendEvents(tx, id, [{ type: 'cost_update', data }]))
  await eventually(async () => {
    await deleteOld(store, 'events', Number.MAX_SAFE_INTEGER, { sessions: [id] })
    expect(await eventAt(store.db, id, last)).toBeUndefined()
  })
}

/** Somebody posts there, and the process that runs the session answers. */
export function says(store: Store, session: Session, text: string): Promise<unknown> {
  return store.transaction(async (tx) => {
    const message = { message_id: newId('msg', tx.now), role: 'user' as const, text, files: [], person }
    const eventId = await appendEvents(tx, session.id, [{ type: 'message', data: message }])
    const payload = { person, text, files: [] }
    await insertInbox(tx, session.id, { dedupKey: newId('msg'), kind: 'message', payload, eventId })
  })
}
