import type { Person, WorkspaceFile } from '../domain/chat.ts'
import { newId, type SessionId } from '../domain/ids.ts'
import type { MessageOrigin } from '../domain/messages.ts'
import type { HookContext } from '../domain/plugin.ts'
import { unlessAborted } from '../kit/abort.ts'
import { plainName } from '../kit/text/text.ts'
import { appendEvents } from '../store/events.ts'
import { type InboxEvent, takeInbox, unreadInbox } from '../store/inbox.ts'
import { appendMessage, type NewMessage } from '../store/messages.ts'
import { insertOutbox } from '../store/outbox.ts'
import { writeSystemPrompt } from '../store/prompts.ts'
import { loadTools } from '../store/session-tools.ts'
import type { Tx } from '../store/store.ts'
import type { Turn } from '../store/turns.ts'
import { alarmText } from './alarm-text.ts'
import { asSaid } from './as-said.ts'
import type { Hooks } from './hooks.ts'
import { lateNote } from './late.ts'
import type { Mentioned } from './mentions.ts'
import { importUpload, type UploadDeps } from './uploads.ts'

export interface ReadInboxDeps extends Omit<UploadDeps, 'signal'> {
  turn: Turn
  /** What was said longer ago is late, ms. */
  lateMs: number
  now(): number
  hooks: Hooks
  hookContext: HookContext
  /** Makes the workspace whole before files come into it. Returns what that took, in words; '' when nothing was amiss. */
  mended(): Promise<string>
  /** A file came with a message. */
  uploaded(tx: Tx, file: WorkspaceFile): Promise<unknown>
  /** What `@name` in a person's words means. */
  mentionsIn(text: string): Mentioned
  /** A new session's system prompt, to be stored along. */
  newPrompt: string | undefined
}

interface Prepared {
  /** What it was made of. */
  source: string
  message: NewMessage | undefined
  failures: string[]
  mentioned?: Mentioned
}

/** Puts everything that waits in the inbox into the history, in order. */
export async function readInbox(deps: ReadInboxDeps): Promise<void> {
  const { store, lease } = deps
  const prepared = new Map<number, Prepared>()
  const mended = await deps.mended()
  for (;;) {
    const waiting = asSaid(await unreadInbox(store.db, lease.session))
    if (waiting.length === 0 && deps.newPrompt === undefined && mended === '') return
    for (const event of waiting) {
      const source = sourceOf(event)
      if (prepared.get(event.seq)?.source === source) continue
      prepared.set(event.seq, { source, ...(await toMessage(event, deps)) })
    }
    if (await store.fenced(lease, (tx) => take(tx, waiting, prepared, mended, deps))) return
  }
}

const sourceOf = ({ payload }: InboxEvent): string => JSON.stringify(payload)

/** False when something was edited or deleted while its files were fetched: nothing is read then. */
async function take(
  tx: Tx,
  waiting: InboxEvent[],
  prepared: Map<number, Prepared>,
  mended: string,
  deps: ReadInboxDeps,
): Promise<boolean> {
  const { lease, turn, newPrompt } = deps
  const sources = new Map((await unreadInbox(tx.db, lease.session)).map((event) => [event.seq, sourceOf(event)]))
  if (waiting.some(({ seq }) => sources.get(seq) !== prepared.get(seq)?.source)) return false
  if (mended !== '') await appendMessage(tx, lease.session, programs(deps, `[The program] ${mended}`))
  for (const { seq } of waiting) {
    const { message, failures = [], mentioned } = prepared.get(seq) ?? {}
    if (message !== undefined) await appendMessage(tx, lease.session, message)
    for (const file of message?.role === 'user' ? message.files : []) await deps.uploaded(tx, file)
    if (mentioned !== undefined) await answerMentions(tx, lease.session, mentioned)
    for (const failure of failures) {
      const data = { turn_id: turn.id, code: 'upload_failed', message: failure }
      await appendEvents(tx, lease.session, [{ type: 'warning', data }])
    }
  }
  if (newPrompt !== undefined) await writeSystemPrompt(tx, lease.session, newPrompt)
  await takeInbox(
    tx,
    lease.session,
    waiting.map(({ seq }) => seq),
    turn.id,
  )
  return true
}

async function answerMentions(tx: Tx, session: SessionId, { tools: named, answers }: Mentioned): Promise<void> {
  const tools = await loadTools(tx, session, named)
  if (tools.length > 0) await appendEvents(tx, session, [{ type: 'tools_loaded', data: { tools } }])
  if (answers.length === 0) return
  const payload = { text: answers.join('\n'), files: [] }
  await insertOutbox(tx, { key: newId('msg', tx.now), session, turn: undefined, kind: 'answer', payload })
}

async function toMessage(event: InboxEvent, deps: ReadInboxDeps) {
  if (event.kind === 'message') return personsMessage(event, deps)
  const said = (text: string, origin: MessageOrigin): NewMessage => ({
    role: 'user',
    turn: deps.turn.id,
    text,
    origin,
    files: [],
  })
  if (event.kind === 'alarm') return { message: said(alarmText(event), 'alarm'), failures: [] }
  if (event.kind === 'resume') return { message: said(resumeText(event.payload), 'resume'), failures: [] }
  // An answer is read by the call that asked.
  return { message: undefined, failures: [] }
}

const resumeText = ({ person, again }: { person: Person; again?: boolean }): string =>
  again === true
    ? `[The program] ${plainName(person.name)} asks you to answer the last message once more: look at it anew.`
    : '[The program] Go on where you were interrupted.'

/** `person`: whose words it tells of. */
const programs = ({ turn }: ReadInboxDeps, text: string, person?: Person): NewMessage => ({
  role: 'user',
  turn: turn.id,
  text,
  person,
  origin: 'note',
  files: [],
})

const own = ({ turn }: ReadInboxDeps, text: string): NewMessage => ({
  role: 'assistant',
  turn: turn.id,
  text,
  calls: [],
})

async function personsMessage(event: Extract<InboxEvent, { kind: 'message' }>, deps: ReadInboxDeps) {
  const { person, text, note, earlier } = event.payload
  if (note !== undefined) return { message: programs(deps, note, person), failures: [] }
  if (earlier === 'self') return { message: own(deps, text), failures: [] }
  const files: WorkspaceFile[] = []
  const failures: string[] = []
  for (const file of event.payload.files) {
    // After a stop nobody waits for a platform that does not answer.
    const { signal } = deps.hookContext
    const imported = await unlessAborted(signal, () => importUpload(file, { ...deps, signal }))
    if ('failure' in imported) failures.push(imported.failure)
    else files.push(imported)
  }
  const words = earlier === undefined ? await deps.hooks.userMessage(text, deps.hookContext) : text
  const mentioned = earlier === undefined ? deps.mentionsIn(words) : undefined
  const told = (mentioned?.answers ?? []).map((answer) => `They were told: ${answer}`)
  const late =
    earlier === undefined ? lateNote(event.payload.at, deps.now(), deps.lateMs, deps.turn.timeZone) : undefined
  const asides = [...failures, ...told, ...(late === undefined ? [] : [late])].map((aside) => `(${aside})`)
  const whole = [words, ...asides].filter((part) => part !== '').join('\n\n')
  const origin: MessageOrigin = earlier === undefined ? 'person' : 'earlier'
  const message: NewMessage = { role: 'user', turn: deps.turn.id, text: whole, person, origin, files }
  return { message, failures, mentioned }
}
