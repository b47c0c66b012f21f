import type { CallId, SessionId, TurnId } from '../domain/ids.ts'
import type { Inspection } from '../domain/inspection.ts'
import type { ToolCall } from '../domain/messages.ts'
import { saidOfCall } from '../domain/said-of-call.ts'
import type { RunTool, Tool } from '../domain/tool.ts'
import { latestCallOf } from '../store/calls.ts'
import { childrenReadBy } from '../store/children.ts'
import type { ParentCall } from '../store/session-rows.ts'
import { findSession, type Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { StoredTurn } from '../store/turns.ts'
import { turnsBehind, turnsForgottenWith } from '../store/turns-behind.ts'
import { othersWords } from '../store/who-wrote.ts'
import { areGiven, canSend, topOf } from './given.ts'
import type { Rules } from './rules.ts'

interface UntrustedDeps {
  store: Store
  session: Session
  turn: StoredTurn
  call: CallId
  tools: Tool[]
  rules: Rules
}

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
  return (await areGiven(inspection, deps)) ? undefined : read
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

async function readHere(where: Reading, { store, tools }: UntrustedDeps): Promise<string | undefined> {
  const sources = tools.filter((one): one is RunTool<never> => one.kind === 'run' && one.source !== undefined)
  const names = (of: Tool[]) => of.map(({ name }) => name)
  const call = await latestCallOf(store.db, { tools: names(sources), known: names(tools) }, where)
  return call === undefined ? othersWords(store.db, where) : sourceOf(call, tools)
}

/**
 * Who wrote what is in a call's result; undefined when the program itself did. `tools` are all that are known, switched
 * off or not. Results count as others' too if their tool is gone, fails to say, or doesn't take these arguments: they
 * may have been left out, or its schema was another when it ran.
 */
export function sourceOf(call: Pick<ToolCall, 'name' | 'arguments'>, tools: Tool[]): string | undefined {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool !== undefined && (tool.kind !== 'run' || tool.source === undefined)) return undefined
  const said: unknown = saidOfCall(tool, call, (input) => tool?.source?.(input))
  return typeof said === 'string' ? said : `what ${call.name} returned`
}
