import type { CallId, SessionId, TurnId } from '../domain/ids.ts'
import type { Inspection } from '../domain/inspection.ts'
import { inputOf, type ToolCall } from '../domain/messages.ts'
import type { RunTool, Tool } from '../domain/tool.ts'
import { callsBefore, latestCallOf } from '../store/calls.ts'
import { childrenOf, childrenReadBy } from '../store/children.ts'
import type { ParentCall } from '../store/session-rows.ts'
import { findSession, type Session } from '../store/sessions.ts'
import type { Db, Store } from '../store/store.ts'
import type { StoredTurn } from '../store/turns.ts'
import { turnsBehind, turnsForgottenWith } from '../store/turns-behind.ts'
import { othersWords, textsWith } from '../store/who-wrote.ts'
import type { Rules } from './rules.ts'

interface UntrustedDeps {
  store: Store
  session: Session
  turn: StoredTurn
  call: CallId
  tools: Tool[]
  rules: Rules
}

/** Untrusted content matters only for calls that can send something out. */
export const canSend = ({ effect, sends }: Tool): boolean => effect === 'external' || sends === true

/** Where the thread's untrusted content came from, if this call could send something out because of it. */
export async function untrustedFor(
  tool: Tool,
  inspection: Inspection,
  deps: UntrustedDeps,
): Promise<string | undefined> {
  const { session, turn, rules } = deps
  const where = { session: session.id, from: session.historyFrom }
  if (!canSend(tool)) return undefined
  const inTurn = rules.untrusted.lasts === 'turn' ? [turn.id] : undefined
  const read = (await readBy({ ...where, turns: inTurn }, session.parent, deps)) ?? (await readBefore(deps))
  if (read === undefined) return undefined
  // A URL copied word for word carries nothing its author didn't know.
  const addresses = addressesIn(inspection)
  if (addresses.length > 0 && (await allGiven(addresses, where, deps))) return undefined
  return read
}

/** The URLs that a call goes to; none if it does anything else too. */
function addressesIn({ hosts, subjects }: Inspection): string[] {
  return hosts !== undefined && subjects.every((one) => URL.canParse(one)) ? subjects : []
}

interface Reading {
  session: SessionId
  from: number
  turns: TurnId[] | undefined
}

/** Where what a session has read came from: itself, its children, whose results it reads, and its parent. */
async function readBy(
  where: Reading,
  parent: ParentCall | undefined,
  deps: UntrustedDeps,
): Promise<string | undefined> {
  const { db } = deps.store
  const own = await readHere(where, deps)
  if (own !== undefined) return own
  for (const child of await childrenReadBy(db, where)) {
    const read = await readHere({ session: child, from: 1, turns: undefined }, deps)
    if (read !== undefined) return read
  }
  const above = parent && (await findSession(db, parent.session))
  if (above === undefined) return undefined
  const turns = where.turns && parent && [parent.turn]
  return readBy({ session: above.id, from: above.historyFrom, turns }, undefined, deps)
}

/** Where the content came from that the turns behind this one had read. It counts even after a reset. */
async function readBefore(deps: UntrustedDeps): Promise<string | undefined> {
  const { db } = deps.store
  const top = topOf(deps)
  const behind = (await turnsBehind(db, top)).filter((one) => one !== top.turn)
  if (behind.length === 0) return undefined
  const turns = deps.rules.untrusted.lasts === 'turn' ? behind : await turnsForgottenWith(db, top.session, behind)
  return readBy({ session: top.session, from: 1, turns }, undefined, deps)
}

/** The thread's own turn in which something is done, or for which it is. */
const topOf = ({ session, turn }: Pick<UntrustedDeps, 'session' | 'turn'>) =>
  session.parent ?? { session: session.id, turn: turn.id }

async function readHere(where: Reading, { store, tools }: UntrustedDeps): Promise<string | undefined> {
  const sources = tools.filter((one): one is RunTool<never> => one.kind === 'run' && one.source !== undefined)
  const names = (of: Tool[]) => of.map(({ name }) => name)
  const call = await latestCallOf(store.db, { tools: names(sources), known: names(tools) }, where)
  return call === undefined ? othersWords(store.db, where) : sourceOf(call, tools)
}

/**
 * Who wrote what is in a call's result; undefined when the program itself did. `tools` are all that are known, switched
 * off or not. Results count as others' too if their tool is gone, or doesn't take these arguments: they may have been
 * left out, or its schema was another when it ran.
 */
export function sourceOf(call: Pick<ToolCall, 'name' | 'arguments'>, tools: Tool[]): string | undefined {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool !== undefined && (tool.kind !== 'run' || tool.source === undefined)) return undefined
  const parsed = tool?.input.safeParse(inputOf(call))
  return parsed?.success ? tool?.source?.(parsed.data) : `what ${call.name} returned`
}

/**
 * At most this many URLs that no person wrote pass in one turn and its subagents, because the choice among many could
 * itself carry information.
 */
const mostChosen = 5

/** Whether each URL appears word for word in what a person wrote or, for the first few, in a tool's result. */
async function allGiven(
  addresses: string[],
  where: { session: SessionId; from: number },
  deps: UntrustedDeps,
): Promise<boolean> {
  const { db } = deps.store
  const chosen = await notIn(addresses, { ...where, tools: [] }, db)
  if (chosen.length === 0) return true
  if ((await chosenBefore(deps)) + chosen.length > mostChosen) return false
  const foreign = deps.tools.filter((tool) => tool.foreign === true).map(({ name }) => name)
  return (await notIn(chosen, { ...where, tools: foreign }, db)).length === 0
}

/** How many URLs that no person wrote count before those of this call, whatever runs side by side with it. */
async function chosenBefore({ store: { db }, session, turn, call, tools }: UntrustedDeps): Promise<number> {
  const top = topOf({ session, turn })
  const children = await childrenOf(db, top.session, [top.turn])
  const senders = tools.filter(canSend).map(({ name }) => name)
  const before = await callsBefore(db, call, { ...top, children, tools: senders })
  let count = 0
  for (const one of before) {
    count += (await notIn(addressesOf(one, tools), { session: one.session, from: 1, tools: [] }, db)).length
    if (count >= mostChosen) break
  }
  return count
}

/** The URLs that an earlier call went to. */
function addressesOf(call: Pick<ToolCall, 'name' | 'arguments'>, tools: Tool[]): string[] {
  const tool = tools.find(({ name }) => name === call.name)
  const parsed = tool?.input.safeParse(inputOf(call))
  try {
    return parsed?.success && tool?.inspect ? addressesIn(tool.inspect(parsed.data as never)) : []
  } catch {
    // A call that can't be inspected never ran.
    return []
  }
}

/** Those of the URLs that don't appear word for word in what people wrote, nor in the results of these tools. */
async function notIn(
  addresses: string[],
  where: { session: SessionId; from: number; tools: string[] },
  db: Db,
): Promise<string[]> {
  const missing: string[] = []
  for (const address of addresses) {
    const short = address.replace(/\/$/, '')
    const texts = await textsWith(db, short, where)
    // It must not be just the beginning of a longer URL.
    const isWhole = (text: string) =>
      text
        .split(short)
        .slice(1)
        .some((rest) => /^\/?(?:$|[\s"'<>)\]}|`,;]|[.!?](?:\s|$))/.test(rest))
    if (!texts.some(isWhole)) missing.push(address)
  }
  return missing
}
