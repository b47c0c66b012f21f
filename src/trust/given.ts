import type { CallId, SessionId } from '../domain/ids.ts'
import type { Inspection } from '../domain/inspection.ts'
import type { ToolCall } from '../domain/messages.ts'
import { saidOfCall } from '../domain/said-of-call.ts'
import type { Tool } from '../domain/tool.ts'
import { hasAddress, hostsOf, namesAddress } from '../kit/web/address-in-text.ts'
import { callsBefore } from '../store/calls.ts'
import { childrenOf } from '../store/children.ts'
import { answersWith, writtenWith } from '../store/peoples-words.ts'
import type { Session } from '../store/sessions.ts'
import type { Db, Store } from '../store/store.ts'
import type { StoredTurn } from '../store/turns.ts'
import { textsWith } from '../store/who-wrote.ts'
import { ownWordsIn } from './names-in-answer.ts'

interface GivenDeps {
  store: Store
  session: Session
  turn: StoredTurn
  call: CallId
  tools: Tool[]
}

/** Untrusted content matters only for calls that can send something out. */
export const canSend = ({ effect, sends }: Tool): boolean => effect === 'external' || sends === true

/** The thread's own turn in which something is done, or for which it is. */
export const topOf = ({ session, turn }: Pick<GivenDeps, 'session' | 'turn'>) =>
  session.parent ?? { session: session.id, turn: turn.id }

/**
 * At most this many URLs that no person wrote pass in one turn and its subagents, because the choice among many could
 * itself carry information.
 */
const mostChosen = 5

/**
 * Whether a call only goes to URLs that a person wrote or, for the first few, that appear word for word in a tool's
 * result. It makes no difference which of the thread and the turn's subagents was told.
 */
export async function areGiven(inspection: Inspection, deps: GivenDeps): Promise<boolean> {
  const { db } = deps.store
  const addresses = addressesIn(inspection)
  if (addresses.length === 0) return false
  const { session, turn } = topOf(deps)
  const children = await childrenOf(db, session, [turn])
  const sessions = [session, ...children]
  const isWritten = lookUp(sessions, db)
  const chosen = await notWritten(addresses, isWritten)
  if (chosen.length === 0) return true
  if ((await chosenBefore(children, isWritten, deps)) + chosen.length > mostChosen) return false
  const foreign = deps.tools.filter((tool) => tool.foreign === true).map(({ name }) => name)
  for (const address of chosen) {
    const texts = await textsWith(db, address.replace(/\/$/, ''), { sessions, tools: foreign })
    if (!texts.some((text) => hasAddress(text, address))) return false
  }
  return true
}

/** The URLs that a call goes to; none if it does anything else too. */
function addressesIn({ hosts, subjects }: Inspection): string[] {
  return hosts !== undefined && subjects.every((one) => URL.canParse(one)) ? subjects : []
}

/** How many URLs that no person wrote count before those of this call, whatever runs side by side with it. */
async function chosenBefore(children: SessionId[], isWritten: LookUp, deps: GivenDeps): Promise<number> {
  const { call, tools } = deps
  const { db } = deps.store
  const top = topOf(deps)
  const senders = tools.filter(canSend).map(({ name }) => name)
  const before = await callsBefore(db, call, { ...top, children, tools: senders })
  let count = 0
  for (const one of before) {
    count += (await notWritten(addressesOf(one, tools), isWritten)).length
    if (count >= mostChosen) break
  }
  return count
}

/** The URLs that an earlier call went to. One that can't be inspected never ran. */
function addressesOf(call: Pick<ToolCall, 'name' | 'arguments'>, tools: Tool[]): string[] {
  const tool = tools.find(({ name }) => name === call.name)
  return saidOfCall(tool, call, (input) => tool?.inspect && addressesIn(tool.inspect(input))) ?? []
}

async function notWritten(addresses: string[], isWritten: LookUp): Promise<string[]> {
  const missing: string[] = []
  for (const address of addresses) if (!(await isWritten(address))) missing.push(address)
  return missing
}

type LookUp = (address: string) => Promise<boolean>

/** Whether a person wrote a URL in these sessions: in a message, in an answer or for an alarm. Looks for each once. */
function lookUp(sessions: SessionId[], db: Db): LookUp {
  const known = new Map<string, boolean>()
  return async (address) => {
    const found = known.get(address) ?? (await isWrittenIn(address, sessions, db))
    known.set(address, found)
    return found
  }
}

async function isWrittenIn(address: string, sessions: SessionId[], db: Db): Promise<boolean> {
  const search = { sessions, pieces: hostsOf(address) }
  const isIn = (text: string) => namesAddress(text, address)
  return (await writtenWith(db, search)).some(isIn) || (await answersWith(db, search)).map(ownWordsIn).some(isIn)
}
