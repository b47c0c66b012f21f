import type { Incoming, RemoteFile, WorkspaceFile } from '../domain/chat.ts'
import { newId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { digest } from '../kit/text/digest.ts'
import { ownWords } from '../kit/text/own-words.ts'
import { oneLine } from '../kit/text/text.ts'
import { appendEvents } from '../store/events.ts'
import { expectFile } from '../store/files.ts'
import { holdSession } from '../store/hold-session.ts'
import { dropIgnored } from '../store/ignored.ts'
import { findByDedupKey, insertInbox } from '../store/inbox.ts'
import { withoutKnown } from '../store/known-files.ts'
import type { Expected } from '../store/ledger.ts'
import { pendingRequests } from '../store/list-requests.ts'
import { createSession } from '../store/new-session.ts'
import { findSession, findSessionByThread, type Session } from '../store/sessions.ts'
import type { Db, Tx } from '../store/store.ts'
import { answerQuestion, namesOption } from '../trust/answer-below.ts'
import { tellCleaned } from '../turn/port/cleaned.ts'
import type { CommandDeps } from '../turn/port/command.ts'
import type { Cleaned } from '../workspace/metadata.ts'
import { reservePaths } from '../workspace/reserve-paths.ts'
import type { Staging } from '../workspace/staging.ts'
import { type Parsed, parseCommand } from './commands/parse.ts'
import { goBack, type Rewritten } from './go-back.ts'
import { excerptOf, type Shortened, shortenText } from './long-text.ts'
import { NotTaken, type Receipt } from './receipt.ts'
import { runSaidCommand } from './run-command.ts'
import { tellQueued } from './tell-queued.ts'
import { inboundWords } from './words.ts'

export interface ReceiveDeps extends CommandDeps {
  staging: Staging
  /** Longer texts become a file. */
  messageBytes: number
  filesPerMessage: number
  /** Of people whose own isn't known. */
  timeZone: string
  rewritten: Rewritten
}

/**
 * Every message comes in here. Once it resolves, the message is stored and may be acknowledged; receiving it again
 * (same `dedupKey`) changes nothing. Throws the Failures `not_found`, `too_many_files`, and NotTaken.
 */
export async function receive(received: Incoming, deps: ReceiveDeps): Promise<Receipt> {
  const { session, thread } = received
  const { db } = deps.store
  return receiveIn(session ? await findSession(db, session) : await findSessionByThread(db, thread), received, deps)
}

/** The same for a session that was already looked up; undefined means there is none. */
export async function receiveIn(known: Session | undefined, received: Incoming, deps: ReceiveDeps): Promise<Receipt> {
  if (known?.parent !== undefined) throw notFound()
  const files = known === undefined ? received.files : await withoutKnown(deps.store.db, known.id, received.files)
  const named = files.map((file) => ({ ...file, name: deps.store.mask(file.name) }))
  const incoming = { ...received, text: deps.store.mask(received.text), files: named }
  if (incoming.files.length > deps.filesPerMessage) {
    throw new Failure(
      'too_many_files',
      inboundWords.tooManyFiles({ most: deps.filesPerMessage, count: incoming.files.length }),
      inboundWords.tooManyFilesRemedy(),
    )
  }
  const mayCommand = incoming.files.every((file) => file.of !== undefined) && incoming.replaces === undefined
  const command = mayCommand && parseCommand(ownWords(incoming.text), incoming.addressed === true, deps.commands)
  if (command && !(known && (await isAnswer(command, incoming, known, deps)))) {
    const before = await receiptOf(deps.store.db, incoming.dedupKey)
    if (before !== undefined) return before
    const isThere = known !== undefined && !known.isDeleted
    const inZone = { ...incoming, timeZone: incoming.timeZone ?? deps.timeZone }
    const session = isThere ? known : await deps.store.transaction((tx) => begin(tx, known, inZone))
    return runSaidCommand(command, incoming, session, deps)
  }
  // Most repeats are of old messages in a known thread, and can be recognised without waiting to write.
  const before = known && (await receiptOf(deps.store.db, incoming.dedupKey))
  const shortened = before === undefined ? await shortenText(incoming, deps) : incoming
  const receipt = before ?? (await storeIn(known, shortened, deps))
  if (receipt.kind === 'duplicate') await Promise.all(shortened.files.map((file) => deps.staging.drop(file)))
  deps.engine.wake(receipt.session)
  return receipt
}

/** The answer to a question that waits may look like a misspelt command, or be an option that is called like one. */
async function isAnswer(
  { command, isGuess, hasSlash }: Parsed,
  { text, person, message }: Incoming,
  { id }: Session,
  { store: { db }, rules }: ReceiveDeps,
): Promise<boolean> {
  if (isGuess) return (await pendingRequests(db, id)).some(({ kind }) => kind !== 'approval')
  if (hasSlash || command.name === 'stop') return false
  return namesOption(db, id, { text: ownWords(text), person, message }, rules)
}

/** The receipt of the same message, if it came before. */
async function receiptOf(db: Db, dedupKey: string): Promise<Receipt | undefined> {
  const known = await findByDedupKey(db, dedupKey)
  return known && { kind: 'duplicate', session: known.session, eventId: known.eventId }
}

async function storeIn(known: Session | undefined, incoming: Shortened, deps: ReceiveDeps): Promise<Receipt> {
  const seen = await lookIn(known, incoming, deps)
  return deps.store.transaction((tx) => store(tx, known, incoming, seen, deps))
}

/** What is known of the workspace before a message is stored. */
interface Seen {
  onDisk: Set<string>
  cleaned?: Cleaned
}

async function lookIn(known: Session | undefined, { files }: Incoming, { workspaces }: ReceiveDeps): Promise<Seen> {
  if (known === undefined) return { onDisk: new Set() }
  const cleaned = await workspaces.cleaned(known)
  if (files.length === 0) return { onDisk: new Set(), cleaned }
  const workspace = await workspaces.open(known)
  // The folder may be missing; whether files can be written there shows when they are.
  const entries = await workspace.list('uploads').catch(() => [])
  return { onDisk: new Set(entries.map(({ path }) => path)), cleaned }
}

async function store(
  tx: Tx,
  known: Session | undefined,
  incoming: Shortened,
  { onDisk, cleaned }: Seen,
  { platforms, rewritten, rules, timeZone: usual }: ReceiveDeps,
): Promise<Receipt> {
  const before = await receiptOf(tx.db, incoming.dedupKey)
  if (before !== undefined) return before

  await dropIgnored(tx, incoming.dedupKey)
  const session = await sessionOf(
    tx,
    known,
    { ...incoming, timeZone: incoming.timeZone ?? usual },
    { next_event: 1, next_inbox: 1 },
  )
  const isNew = session.lastEvent === 0
  const { person, timeZone, dedupKey, message, seen, replaces } = incoming
  const replaced =
    replaces === undefined
      ? undefined
      : await goBack(tx, session, { number: replaces, person, dedupKey, seen }, rewritten)
  const own = await reservePaths(tx, session, incoming.files, onDisk)
  const files: WorkspaceFile[] = [...(replaced?.files ?? []), ...own]
  const text = isSame(incoming) && replaced ? replaced.text : excerptOf(incoming, own[0])
  const said = { message_id: newId('msg', tx.now), role: 'user' as const, text, files, person }
  const eventId = await appendEvents(tx, session.id, [{ type: 'message', data: said }])
  if (cleaned !== undefined) await tellCleaned(tx, session, cleaned, eventId)

  const isBelow = (card: string) => platforms.get(session.thread.platform)?.isLater(message ?? '', card) ?? false
  const { answers, quotesOthers } = incoming
  const toAnswer = { text, person, files, message, seen, answers, quotesOthers }
  const answered = isNew ? undefined : await answerQuestion(tx, session.id, toAnswer, isBelow, rules)
  if (answered === undefined && answers !== undefined) throw new NotTaken()
  // The next read of the inbox fetches an answer's files and finds what it names, before the model reads the answer.
  const isRead = answered === undefined || answered.isRead || files.length > 0
  if (answered !== undefined) {
    const row = isRead ? answered.row : { dedupKey, eventId }
    const payload = { ...answered.payload, editedAt: incoming.editedAt }
    await insertInbox(tx, answered.session, { ...row, kind: 'answer', payload })
    tx.wakes(answered.session)
  }
  if (isRead) {
    const kept = answered?.isRead === false ? '' : text
    const latest = kept === incoming.text || replaced ? undefined : digest(incoming.text)
    const payload = {
      person,
      text: kept,
      files,
      ...(incoming.longText !== undefined && { whole: own[0]?.path }),
      ...(timeZone !== session.timeZone && { timeZone }),
      latest,
      message,
      answered: answered?.payload.request,
      at: incoming.at,
      editedAt: incoming.editedAt,
      quotesOthers,
      ...(incoming.addressed === false && { unnamed: true }),
    }
    const seq = await insertInbox(tx, session.id, { dedupKey, kind: 'message', payload, eventId })
    for (const [index, file] of own.entries()) {
      await expectFile(tx, session.id, seq, file, incoming.files[index] as RemoteFile)
    }
    if (answered === undefined && !isNew) await tellQueued(tx, session, incoming, platforms)
  }
  return { kind: 'new', session: session.id, eventId }
}

type InZone = Incoming & { timeZone: string }

/** A thread that begins with a command. */
async function begin(tx: Tx, known: Session | undefined, incoming: InZone): Promise<Session> {
  await dropIgnored(tx, incoming.dedupKey)
  return sessionOf(tx, known, incoming)
}

/** It only wants the message that it replaces answered again. */
const isSame = ({ text, files }: Shortened): boolean => text.trim() === '' && files.length === 0

const notFound = (): Failure => new Failure('not_found', inboundWords.threadGone(), inboundWords.threadGoneRemedy())

async function sessionOf(tx: Tx, known: Session | undefined, incoming: InZone, expected?: Expected): Promise<Session> {
  const found = known && (await holdSession(tx, known.id, expected))
  if (found !== undefined && !found.isDeleted) return found
  if (incoming.session !== undefined) {
    throw notFound()
  }
  const { thread, person, timeZone } = incoming
  const title = oneLine(tx.mask(incoming.text), 80) || oneLine(tx.mask(incoming.files[0]?.name ?? ''), 80)
  const earlier = incoming.reply ? 'wanted' : 'none'
  return createSession(tx, { thread, person, timeZone, title, earlier }, expected)
}
