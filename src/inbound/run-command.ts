import type { Incoming, Person } from '../domain/chat.ts'
import { newId } from '../domain/ids.ts'
import { Failure, sentencesOf } from '../kit/failure.ts'
import { endLists } from '../kit/markdown/end-lists.ts'
import { asCode } from '../kit/text/shown.ts'
import { oneLine } from '../kit/text/text.ts'
import { appendEvents } from '../store/events.ts'
import { dropIgnored } from '../store/ignored.ts'
import { findByDedupKey, insertInbox } from '../store/inbox.ts'
import { insertOutbox } from '../store/outbox.ts'
import { lastEvent, type Session } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import type { Command, CommandContext, CommandDeps, CommandResult } from '../turn/port/command.ts'
import type { Receipt } from './receipt.ts'
import { inboundWords } from './words.ts'

interface Given {
  command: Command
  argument: string
}

/** Runs a command that was said in a thread, once, and answers there. */
export async function runSaidCommand(
  { command, argument }: Given,
  incoming: Incoming,
  session: Session,
  deps: CommandDeps,
): Promise<Receipt> {
  const { dedupKey, person, text, timeZone, at } = incoming
  const result = await resultOf(command, { argument, person, project: session.thread, timeZone, session, at, deps })
  const receipt = await deps.store.transaction(async (tx): Promise<Receipt> => {
    const again = await findByDedupKey(tx.db, dedupKey)
    if (again !== undefined) return { kind: 'duplicate', session: again.session, eventId: again.eventId }
    await dropIgnored(tx, dedupKey)
    const said = { message_id: newId('msg', tx.now), role: 'user' as const, text, files: [], person }
    const eventId = await appendEvents(tx, session.id, [{ type: 'message', data: said }])
    await markDone(tx, session, { dedupKey, person, name: command.name, argument, eventId })
    const payload = { text: await saidBy(result, tx), files: [] }
    await insertOutbox(tx, { key: newId('msg', tx.now), session: session.id, turn: undefined, kind: 'answer', payload })
    return { kind: 'new', session: session.id, eventId }
  })
  if (receipt.kind === 'new') goOn(result, session, deps)
  return receipt
}

/** Runs a command from a slash command, button or reaction, once. Resolves with what to say. */
export async function runGivenCommand(
  { command, argument }: Given,
  given: { dedupKey: string } & Omit<CommandContext, 'argument' | 'timeZone' | 'deps'>,
  deps: CommandDeps,
): Promise<string> {
  const { dedupKey, ...context } = given
  const { person, session } = context
  const result = await resultOf(command, { ...context, argument, timeZone: undefined, deps })
  const changed = session ?? (typeof result === 'string' ? undefined : result.in)
  if (changed === undefined) return typeof result === 'string' ? endLists(result) : inboundWords.threadNeeded()
  const words = await deps.store.transaction(async (tx) => {
    if ((await findByDedupKey(tx.db, dedupKey)) !== undefined) return undefined
    const eventId = (await lastEvent(tx, changed.id)) + 1
    await markDone(tx, changed, { dedupKey, person, name: command.name, argument, eventId })
    return saidBy(result, tx)
  })
  // What runs now may not be what the first attempt meant.
  if (words === undefined) return inboundWords.alreadyDone()
  goOn(result, changed, deps)
  return words
}

/** Failures that a person can fix become the command's answer. */
async function resultOf(command: Command, given: CommandContext): Promise<CommandResult> {
  const { session } = given
  // Where one of a few words may follow, a full stop is none of them.
  const argument = command.argument?.choices === undefined ? given.argument : given.argument.replace(/[.!]+$/, '')
  const context = { ...given, argument }
  if (!isUnderstood(command, argument)) return notUnderstood(command, context.deps.store.mask(argument))
  try {
    if (command.about === 'channel') return await command.run(context)
    if (session === undefined) return inboundWords.mentionInThread({ name: command.name })
    return await command.run({ ...context, session })
  } catch (thrown) {
    if (thrown instanceof Failure) return sentencesOf(thrown)
    throw thrown
  }
}

/**
 * A command without an argument does nothing if something follows it, except for `stop`, which has to work at once, and
 * `help`, whose list is what helps.
 */
const isUnderstood = ({ name, argument: may }: Command, argument: string): boolean =>
  argument === '' ||
  ['stop', 'help'].includes(name) ||
  (may !== undefined && (may.choices === undefined || may.pattern.test(argument)))

const notUnderstood = ({ name, argument }: Command, said: string): string => {
  const usages = [name, ...(argument?.choices ?? []).map((choice) => `${name} ${choice}`)]
  return inboundWords.notUnderstood({ said: asCode(oneLine(said, 60)), usage: usages.map(asCode).join(' or ') })
}

const saidBy = async (result: CommandResult, tx: Tx): Promise<string> =>
  endLists(typeof result === 'string' ? result : await result.act(tx))

async function markDone(
  tx: Tx,
  session: Session,
  row: { dedupKey: string; person: Person; name: string; argument: string; eventId: number },
): Promise<void> {
  const { dedupKey, eventId, ...payload } = row
  await insertInbox(tx, session.id, { dedupKey, kind: 'command', payload, eventId, state: 'taken' })
}

function goOn(result: CommandResult, session: Session, { engine }: CommandDeps): void {
  if (typeof result !== 'string' && result.interrupts === true) engine.interrupt(session.id)
  engine.wake(session.id)
}
