import type { Person, RemoteFile, WorkspaceFile } from '../../domain/chat.ts'
import { newId, type SessionId } from '../../domain/ids.ts'
import type { Message, MessageOrigin } from '../../domain/messages.ts'
import { unlessAborted } from '../../kit/abort.ts'
import { canBeAsked } from '../../platforms/until-connected.ts'
import { appendEvents } from '../../store/events.ts'
import { rewriteInbox, takeInbox, unreadInbox } from '../../store/inbox.ts'
import type { InboxEvent } from '../../store/inbox-event.ts'
import { appendMessage, type NewMessage } from '../../store/messages.ts'
import { insertOutbox } from '../../store/outbox.ts'
import type { Tx } from '../../store/store.ts'
import { alarmText } from '../port/alarm-text.ts'
import type { Mentioned } from '../port/mentions.ts'
import { resumeText } from '../port/resume-text.ts'
import { turnWords } from '../port/words.ts'
import type { PromptChanges } from '../prompt/sections.ts'
import { asSaid } from '../state/as-said.ts'
import { lateNote } from '../state/late.ts'
import { loadFitting } from '../state/load-fitting.ts'
import { mendAndTell } from '../state/mended.ts'
import type { SystemPrompt } from '../state/system-prompt.ts'
import type { Turn } from '../state/turn.ts'
import { catchUp } from './catch-up.ts'
import { importEarlier } from './import-earlier.ts'
import { changesDue, tellAndStore } from './prompt-changes.ts'
import { importUpload } from './uploads.ts'

export interface PreparedMessage {
  /** What it was made from. */
  source: string
  message: NewMessage | undefined
  failures: string[]
  mentioned?: Mentioned
  /** What plug-ins have made of its text. */
  words?: string
}

/** Moves everything that waits in the inbox into the history, in the order in which it was said. */
export async function readInbox(turn: Turn): Promise<void> {
  if (!turn.earlierIsRead) await importEarlier(turn)
  turn.earlierIsRead = true
  if (turn.session.parent === undefined) await catchUp(turn.platform, turn.session.thread, turn.signal)
  await takeAll(turn)
  await turn.reloadTools()
}

async function takeAll(turn: Turn): Promise<void> {
  const { store, lease } = turn
  const prepared = new Map<number, PreparedMessage>()
  const mended = await mendAndTell(turn)
  for (;;) {
    const waiting = asSaid(await unreadInbox(store.db, lease.session))
    if (turn.promptIsStale) await turn.renewPrompt([])
    const isDue = (await changesDue(turn)) !== undefined
    if (waiting.length === 0 && turn.prompt.isStored && mended === '' && !isDue) return
    await prepare(waiting, turn, prepared)
    await tellNamed(waiting, prepared, turn)
    const changes = await changesDue(turn)
    const prompt = await store.fenced(lease, async (tx) => {
      // If something was edited or deleted while its files were fetched, nothing is read.
      if (!(await isUnchanged(tx, waiting, prepared, lease.session))) return undefined
      const { prompt } = await put(tx, waiting, prepared, { mended, changes }, turn)
      const taken = waiting.map(({ seq }) => seq)
      await takeInbox(tx, lease.session, taken, turn.row.id)
      return prompt
    })
    if (prompt === undefined) continue
    turn.prompt = prompt
    return
  }
}

/**
 * Prepares the messages that aren't in `prepared` in their current form. Returns the same map. Files of what was said
 * before the mention are fetched last, so that they take no space from those that the bot was asked about.
 */
export async function prepare(
  waiting: InboxEvent[],
  turn: Turn,
  prepared: Map<number, PreparedMessage>,
): Promise<Map<number, PreparedMessage>> {
  for (const event of [...waiting.filter((one) => !isEarlier(one)), ...waiting.filter(isEarlier)]) {
    const source = sourceOf(event)
    if (prepared.get(event.seq)?.source === source) continue
    prepared.set(event.seq, { source, ...(await toMessage(event, turn)) })
  }
  return prepared
}

/** What people mention in these messages is told with them: the model reads a skill together with what it is for. */
export async function tellNamed(
  waiting: InboxEvent[],
  prepared: ReadonlyMap<number, PreparedMessage>,
  turn: Turn,
): Promise<void> {
  const named = waiting.flatMap(({ seq }) => prepared.get(seq)?.mentioned?.named ?? [])
  if (named.length === 0) return
  await turn.renewPrompt(named)
  // If a message is changed before it is read, this may have been too much.
  turn.promptChanged()
}

const isEarlier = ({ kind, payload }: InboxEvent): boolean => kind === 'message' && payload.earlier !== undefined

/** After a stop, it wakes nobody. */
const sourceOf = ({ stored, held }: InboxEvent): string => `${held}:${stored}`

async function isUnchanged(
  tx: Tx,
  waiting: InboxEvent[],
  prepared: ReadonlyMap<number, PreparedMessage>,
  session: SessionId,
): Promise<boolean> {
  const sources = new Map((await unreadInbox(tx.db, session)).map((event) => [event.seq, sourceOf(event)]))
  return waiting.every(({ seq }) => sources.get(seq) === prepared.get(seq)?.source)
}

/** Adds what was prepared to the history. Returns it, and the prompt as it is then. */
export async function put(
  tx: Tx,
  waiting: InboxEvent[],
  prepared: ReadonlyMap<number, PreparedMessage>,
  { mended, changes }: { mended: string; changes: PromptChanges | undefined },
  turn: Turn,
): Promise<{ prompt: SystemPrompt; messages: Message[] }> {
  const { session, row } = turn
  const messages: Message[] = []
  if (mended !== '') await appendMessage(tx, session.id, programs(turn, `[The program] ${mended}`))
  const prompt = await tellAndStore(tx, changes, turn)
  for (const event of waiting) {
    const { message, failures = [], mentioned, words } = prepared.get(event.seq) ?? {}
    // If the message is edited or deleted, these words have to be found.
    if (event.kind === 'message' && words !== undefined)
      await rewriteInbox(tx, session.id, event.seq, { ...event.payload, words })
    const read = message && (await appendMessage(tx, session.id, message))
    if (read !== undefined) messages.push(read)
    for (const file of message?.role === 'user' && message.origin !== 'task' ? message.files : [])
      await turn.bot.capabilities.uploaded(tx, session.id, file.path)
    if (mentioned !== undefined && read !== undefined) {
      await answerMentions(tx, turn, mentioned)
      const about = { bot: turn.bot, turn: row.id, message: read }
      await turn.bot.capabilities.named(tx, session.id, mentioned.named, about)
    }
    if (event.kind === 'resume' && event.payload.turn !== undefined) {
      await turn.bot.capabilities.continued(tx, session.id, { turn: row.id, continues: event.payload.turn })
      turn.promptChanged()
    }
    for (const failure of failures) {
      const data = { turn_id: row.id, code: 'upload_failed', message: failure }
      await appendEvents(tx, session.id, [{ type: 'warning', data }])
    }
  }
  return { prompt, messages }
}

async function answerMentions(tx: Tx, turn: Turn, { tools: named, answers }: Mentioned): Promise<void> {
  const session = turn.session.id
  const { there, added } = named.length === 0 ? { there: named, added: [] } : await loadFitting(tx, named, turn)
  if (added.length > 0) await appendEvents(tx, session, [{ type: 'tools_loaded', data: { tools: added } }])
  const why = turnWords.noRoomForTool()
  const left = named.filter((name) => !there.includes(name)).map((name) => turnWords.unusableName({ name, why }))
  const said = [...answers, ...left]
  if (said.length === 0) return
  const payload = { text: said.join('\n'), files: [] }
  await insertOutbox(tx, { key: newId('msg', tx.now), session, turn: undefined, kind: 'answer', payload })
}

async function toMessage(event: InboxEvent, turn: Turn) {
  if (event.kind === 'message') return personsMessage(event, turn)
  const said = (text: string, origin: MessageOrigin, person?: Person): NewMessage => ({
    role: 'user',
    turn: turn.row.id,
    text,
    person,
    origin,
    files: [],
  })
  if (event.kind === 'alarm') {
    const text = alarmText(event, turn.bot.clock.now())
    return { message: said(text, 'alarm', event.payload.person), failures: [] }
  }
  if (event.kind === 'resume') return { message: said(resumeText(event.payload), 'resume'), failures: [] }
  // The call that asked reads the answer.
  return { message: undefined, failures: [] }
}

/** `person`: whose message it is about. */
const programs = ({ row }: Turn, text: string, person?: Person): NewMessage => ({
  role: 'user',
  turn: row.id,
  text,
  person,
  origin: 'note',
  files: [],
})

/** The files are in the workspace already, which is the parent's. */
const taskOf = (files: WorkspaceFile[], text: string, { row }: Turn): NewMessage => ({
  role: 'user',
  turn: row.id,
  text,
  origin: 'task',
  files,
})

const own = ({ row }: Turn, text: string): NewMessage => ({
  role: 'assistant',
  turn: row.id,
  text,
  calls: [],
})

async function personsMessage(event: Extract<InboxEvent, { kind: 'message' }>, turn: Turn) {
  const { person, text, note, task, earlier, answered } = event.payload
  if (task !== undefined) return { message: taskOf(event.payload.files, task, turn), failures: [] }
  if (note !== undefined) return { message: programs(turn, note, person), failures: [] }
  if (earlier === 'self') return { message: own(turn, text), failures: [] }
  const files: WorkspaceFile[] = []
  const failures: string[] = []
  for (const file of event.payload.files) {
    // After a stop, don't wait for a platform that doesn't answer.
    const imported = await unlessAborted(turn.signal, () => importUpload(file, uploadingIn(turn)))
    if ('failure' in imported) failures.push(imported.failure)
    else files.push(imported)
  }
  const { hooks } = turn.bot.capabilities
  const words = earlier === undefined ? await hooks.userMessage(text, turn.hookContext) : text
  // An answer means what it names, but asks for nothing.
  const said = answered === undefined ? 'person' : 'answer'
  const mentioned = earlier === undefined ? await turn.mentionsIn(words, said) : undefined
  const told = (mentioned?.answers ?? []).map((answer) => `They were told: ${answer}`)
  const late =
    earlier === undefined ? lateNote(event.payload.at, turn.bot.clock.now(), turn.lateMs, turn.row.timeZone) : undefined
  const asides = [...failures, ...told, ...(late === undefined ? [] : [late])].map((aside) => `(${aside})`)
  const whole = [words, ...asides].filter((part) => part !== '').join('\n\n')
  const origin: MessageOrigin = earlier === undefined ? said : 'earlier'
  const message: NewMessage = { role: 'user', turn: turn.row.id, text: whole, person, origin, files }
  return { message, failures, mentioned, ...(earlier === undefined && hooks.changeMessages && { words }) }
}

function uploadingIn({ bot, session, row, store, lease, workspace, signal, platform }: Turn) {
  const fetch = (file: RemoteFile) => bot.fetch(session.thread.platform, file)
  const { fileBytes } = bot.config.uploads
  const isConnected = () => platform !== undefined && canBeAsked(platform)
  return { store, lease, workspace, signal, turn: row, fetch, isConnected, drop: bot.drop, fileBytes }
}
