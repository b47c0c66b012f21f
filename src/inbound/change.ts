import type { Change, Heard } from '../domain/chat.ts'
import type { JobId } from '../domain/ids.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { Json } from '../kit/json.ts'
import { digest } from '../kit/text/digest.ts'
import { aloneWith, insertDeleted } from '../store/ignored.ts'
import { findByDedupKey, type Received } from '../store/inbox.ts'
import { deleted, type InboxPayload } from '../store/inbox-event.ts'
import { endJob, startJob } from '../store/jobs.ts'
import { findSession, findSessionByThread } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { type Access, whyIgnored } from '../trust/admit.ts'
import { cardDeleted } from '../trust/card-deleted.ts'
import { cutShort } from '../turn/port/cut-short.ts'
import { changeAnswer, isNews } from './change-answer.ts'
import { type Asked, changeMessage, type Done, type Texts } from './change-message.ts'
import { type HearDeps, hear } from './hear.ts'
import { inboundWords } from './words.ts'

/**
 * A message was edited or deleted. If nobody has read it yet, only its new text is read. If it has been read, the
 * history is changed and the model is told with the next message. The running turn stops once every message that it was
 * asked with is deleted. An edit may also make a message one for the bot.
 */
export async function hearChange(heard: Change, deps: HearDeps): Promise<void> {
  const now = heard.now && { ...heard.now, text: deps.store.mask(heard.now.text) }
  const changed = { ...heard, now }
  let outcome = await change(changed, deps)
  if (outcome === 'unknown') {
    // The edit is what mentions the bot, or it came before its message.
    if (now === undefined || (await isFromBefore(now, deps))) return
    const { kind } = await hear({ ...now, at: now.editedAt ?? deps.clock.now() }, deps)
    // The message was stored meanwhile, as it was before the edit.
    if (kind === 'duplicate') outcome = await change(changed, deps)
  }
  await follow(outcome, deps)
}

/** What people edit of what was said before the bot came isn't said to the bot, unless it mentions it. */
async function isFromBefore({ thread, mentioned, at }: Heard, { store }: HearDeps): Promise<boolean> {
  if (mentioned) return false
  const session = await findSessionByThread(store.db, thread)
  return session !== undefined && at < session.createdAt
}

/** Plug-ins are asked between two transactions. */
async function change(changed: Change, deps: HearDeps): Promise<Done | 'unknown' | undefined> {
  const { outcome, job } = await deps.store.transaction(async (tx) => {
    const outcome = await apply(tx, changed, deps)
    return { outcome, job: isAsked(outcome) ? await startAgain(tx, changed, outcome) : undefined }
  })
  if (!isAsked(outcome)) return outcome
  const hooked = await ask(outcome, deps)
  const made = await deps.store.transaction(async (tx) => {
    const made = await apply(tx, changed, deps, hooked)
    if (job !== undefined) await endJob(tx, job)
    return made
  })
  return isAsked(made) ? undefined : made
}

/** `unknown`: no such message is stored. */
type Outcome = Done | Asked | 'unknown' | undefined

const isAsked = (outcome: Outcome): outcome is Asked => typeof outcome === 'object' && 'asks' in outcome

async function ask({ asks: { now, was }, ...read }: Asked, { userMessage }: HearDeps): Promise<Texts> {
  const [words, before] = await Promise.all([now, was].map((text) => text && userMessage?.(text, read)))
  // If they don't say, the model isn't sent the new text.
  return { now: now && (words ?? inboundWords.editNotShown()), was: before }
}

/** Undefined: nothing changes, such as when it comes too late. `hooked`: what plug-ins make of the texts. */
async function apply(tx: Tx, change: Change, deps: HearDeps, hooked?: Texts): Promise<Outcome> {
  const { dedupKey, person, now } = change
  const received = await findHeld(tx, dedupKey)
  if (received === undefined) {
    if (now === undefined) {
      await insertDeleted(tx, change)
      await cardDeleted(tx, change)
    }
    return 'unknown'
  }
  const latest = now === undefined ? deleted : digest(now.text)
  const text = now === undefined ? null : cutShort(now.text, deps.messageBytes)
  const changed = { dedupKey, person, text, latest, editedAt: now?.editedAt, quotesOthers: now?.quotesOthers }
  const mayNot = now !== undefined && !maySpeak(now, deps.access)
  if (received.kind === 'answer' && !mayNot) return changeAnswer(tx, received, changed, deps.rewritten)
  if (received.kind !== 'message') return undefined
  if ((await findSession(tx.db, received.session))?.isDeleted !== false) return undefined
  // The column holds what insertInbox was given.
  const payload = received.payload as InboxPayload['message']
  const before = payload.latest ?? digest(payload.text)
  if (mayNot && payload.earlier === undefined) return undefined
  if (!(await isNews(tx, received, changed, { before, known: payload }))) return undefined
  return changeMessage(tx, { ...received, payload }, changed, hooked, deps)
}

/** A turn that is about to read the message waits, or has read it. */
async function findHeld(tx: Tx, dedupKey: string): Promise<Received | undefined> {
  const found = (await findByDedupKey(tx.db, dedupKey)) ?? (await findAlone(tx, dedupKey))
  if (found !== undefined) await tx.hold(found.session)
  return found && findByDedupKey(tx.db, dedupKey)
}

/** It may be being stored right now, elsewhere. */
async function findAlone(tx: Tx, dedupKey: string): Promise<Received | undefined> {
  await aloneWith(tx, dedupKey)
  return findByDedupKey(tx.db, dedupKey)
}

/** Somebody who was removed from the lists can't say more by editing. */
const maySpeak = (now: Heard, access: Access): boolean =>
  whyIgnored({ ...now, mentioned: true }, { known: true, recent: 0 }, access) === undefined

async function follow(outcome: Exclude<Outcome, Asked>, { engine, staging }: HearDeps): Promise<void> {
  if (outcome === undefined || outcome === 'unknown') return
  if (outcome.stopped) engine.interrupt(outcome.session)
  engine.wake(outcome.session)
  await Promise.all(outcome.dropped.map((file) => staging.drop(file)))
}

/** When a change is made again, ms: plug-ins have been asked by then. */
const againMs = 60_000

const again = 'change again'

/** Not every platform reports a change again if the process dies while plug-ins are asked. */
const startAgain = (tx: Tx, changed: Change, { session }: Asked): Promise<JobId> =>
  startJob(tx, {
    kind: again,
    key: `${changed.dedupKey} ${changed.now?.editedAt}`,
    owner: session,
    // What is undefined isn't stored.
    input: changed as unknown as Json,
    dueAt: tx.now + againMs,
  })

/** If it was made, it is too late, and changes nothing. */
export const changeKind = (deps: HearDeps): JobKind<Change> => ({
  name: again,
  async run({ input }) {
    await follow(await change(input, deps), deps)
    return undefined
  },
})
