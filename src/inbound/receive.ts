import type { Incoming, RemoteFile } from '../domain/chat.ts'
import { newId, type SessionId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { oneLine } from '../kit/text/text.ts'
import { appendEvents } from '../store/events.ts'
import { expectFile } from '../store/files.ts'
import { dropIgnored } from '../store/ignored.ts'
import { findByDedupKey, insertInbox } from '../store/inbox.ts'
import { pendingRequests } from '../store/requests.ts'
import { createSession, findSession, findSessionByThread, type Session } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { openTurn } from '../store/turns.ts'
import { answerQuestion } from '../trust/answer-below.ts'
import type { Cleaned } from '../workspace/metadata.ts'
import { reservePaths } from '../workspace/reserve-paths.ts'
import type { Staging } from '../workspace/staging.ts'
import { tellCleaned } from './cleaned.ts'
import type { CommandDeps } from './commands/command.ts'
import { commands } from './commands/index.ts'
import { parseCommand } from './commands/parse.ts'
import { digest } from './digest.ts'
import { excerptOf, type Prepared, shortenText } from './long-text.ts'
import type { Receipt } from './receipt.ts'
import { runSaidCommand } from './run-command.ts'

export interface ReceiveDeps extends CommandDeps {
  staging: Staging
  /** Longer texts become a file. */
  messageBytes: number
  filesPerMessage: number
}

/**
 * The one door for messages. When it resolves, the message is stored and may be acknowledged; the same message again
 * (by `dedupKey`) changes nothing. Throws BobbinErrors `not_found`, `too_many_files`.
 */
export async function receive(received: Incoming, deps: ReceiveDeps): Promise<Receipt> {
  const named = received.files.map((file) => ({ ...file, name: deps.store.mask(file.name) }))
  const incoming = { ...received, text: deps.store.mask(received.text), files: named }
  if (incoming.files.length > deps.filesPerMessage) {
    throw new Failure(
      'too_many_files',
      `A message can carry ${deps.filesPerMessage} files, and this one has ${incoming.files.length}.`,
      'Send them in several messages.',
    )
  }
  const command = incoming.files.length === 0 && parseCommand(incoming.text, incoming.addressed === true, commands)
  if (command) {
    const session = await deps.store.transaction((tx) => sessionOf(tx, incoming))
    return runSaidCommand(command, incoming, session, deps)
  }
  const shortened = await shortenText(incoming, deps)
  const seen = await lookIn(shortened, deps)
  const receipt = await deps.store.transaction((tx) => store(tx, shortened, seen, deps))
  if (receipt.kind === 'duplicate') await Promise.all(shortened.files.map((file) => deps.staging.drop(file)))
  deps.engine.wake(receipt.session)
  return receipt
}

/** What is known of the thread's workspace before a message comes to it. */
interface Seen {
  onDisk: Set<string>
  cleaned?: Cleaned
}

async function lookIn({ thread, session, files }: Incoming, { store, workspaces }: ReceiveDeps): Promise<Seen> {
  const known = session ? await findSession(store.db, session) : await findSessionByThread(store.db, thread)
  if (known === undefined) return { onDisk: new Set() }
  const cleaned = await workspaces.cleaned(known)
  if (files.length === 0) return { onDisk: new Set(), cleaned }
  const workspace = await workspaces.open(known)
  // Without the folder nothing is taken; whether a file can be written there is found out when it is.
  const entries = await workspace.list('uploads').catch(() => [])
  return { onDisk: new Set(entries.map(({ path }) => path)), cleaned }
}

async function store(
  tx: Tx,
  incoming: Prepared,
  { onDisk, cleaned }: Seen,
  { platforms }: ReceiveDeps,
): Promise<Receipt> {
  const known = await findByDedupKey(tx.db, incoming.dedupKey)
  if (known !== undefined) return { kind: 'duplicate', session: known.session, eventId: known.eventId }

  await dropIgnored(tx, incoming.dedupKey)
  const session = await sessionOf(tx, incoming)
  const files = await reservePaths(tx, session, incoming.files, onDisk)
  const { person, timeZone, dedupKey, message } = incoming
  const text = excerptOf(incoming, files[0])
  const said = { message_id: newId('msg', tx.now), role: 'user' as const, text, files, person }
  const eventId = await appendEvents(tx, session.id, [{ type: 'message', data: said }])
  if (cleaned !== undefined) await tellCleaned(tx, session, cleaned, eventId)

  const isBelow = (card: string) => platforms.get(session.thread.platform)?.isLater(message ?? '', card) ?? false
  const answered = await answerQuestion(tx, session.id, { text, person, files, message }, isBelow)
  // Files of an answer are fetched as those of any message: the next read of the inbox does it, before the model reads the answer.
  if (answered !== undefined) {
    const row = files.length === 0 ? { dedupKey, eventId } : answered.row
    await insertInbox(tx, session.id, { ...row, kind: 'answer', payload: answered.payload })
  }
  if (answered === undefined || files.length > 0) {
    const kept = answered ? '' : text
    const latest = kept === incoming.text ? undefined : digest(incoming.text)
    const payload = {
      person,
      text: kept,
      files,
      timeZone,
      latest,
      message,
      at: incoming.at,
      unnamed: incoming.addressed === false,
    }
    const seq = await insertInbox(tx, session.id, { dedupKey, kind: 'message', payload, eventId })
    for (const [index, file] of files.entries()) {
      await expectFile(tx, session.id, seq, file, incoming.files[index] as RemoteFile)
    }
    if (answered === undefined) await tellQueued(tx, session.id)
  }
  return { kind: 'new', session: session.id, eventId }
}

async function sessionOf(tx: Tx, incoming: Incoming): Promise<Session> {
  const found = incoming.session
    ? await findSession(tx.db, incoming.session)
    : await findSessionByThread(tx.db, incoming.thread)
  if (found !== undefined && !found.isDeleted) return found
  if (incoming.session !== undefined) {
    throw new Failure(
      'not_found',
      "This thread doesn't exist, or it was deleted.",
      'Start a new one, or choose another.',
    )
  }
  const { thread, person, timeZone = 'UTC' } = incoming
  const title = oneLine(incoming.text, 80) || oneLine(incoming.files[0]?.name ?? '', 80)
  return createSession(tx, { thread, person, timeZone, title, earlier: incoming.reply ? 'wanted' : 'none' })
}

/** While an approval waits, messages queue: their senders are told. */
async function tellQueued(tx: Tx, session: SessionId): Promise<void> {
  const turn = await openTurn(tx.db, session)
  if (turn?.state !== 'waiting') return
  const request_ids = (await pendingRequests(tx.db, session)).map(({ id }) => id)
  if (request_ids.length === 0) return
  await appendEvents(tx, session, [{ type: 'waiting', data: { turn_id: turn.id, request_ids, queued: true } }])
}
