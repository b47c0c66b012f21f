import { type CallId, newId } from '../../domain/ids.ts'
import { deletedText } from '../../domain/messages.ts'
import { handedTo, handTo } from '../../store/agents.ts'
import { endedCalls } from '../../store/calls.ts'
import { readMessages } from '../../store/messages.ts'
import type { HandedTo, Routed, Session } from '../../store/session-rows.ts'
import type { Db, Tx } from '../../store/store.ts'
import { delegating } from '../../turn/port/mentions.ts'
import type { CallInPlace, ModelPermit } from '../../turn/port/model-permit.ts'
import type { ModelScope } from '../../turn/port/scope.ts'

/** The tool that gives a task to an agent. */
export const delegateTool = 'delegate_task'

/** Room for what earlier agents of a chain found. */
const mostCharacters = 18_000
const mostFiles = 20

export const nobody: HandedTo = { stack: [], chosen: false, step: 0 }

/** Whoever works on a request goes on when the thread changes hands, with the agents that the thread had then. */
export const atWork = (
  { route, waiting, stack }: HandedTo,
  off: Pick<Routed, 'isOff'> = {},
): Pick<HandedTo, 'route' | 'waiting'> => ({
  ...(route && { route: { stack, ...route, ...off } }),
  ...(waiting && { waiting: waiting.map((one) => ({ stack, ...one, ...off })) }),
})

/** Whether the request of a turn was given to several agents, or to subagents by hand. */
export const isRouted = ({ agents }: Pick<Session, 'agents'>, turn: string): boolean =>
  agents?.route?.turn === turn && agents.route.how !== 'none'

/** Notes who works on a turn's request, beside whoever has the thread. Another request of the turn isn't dropped. */
export async function routeTo(
  tx: Tx,
  session: Session['id'],
  route: Omit<Routed, 'calls'> & Partial<Routed>,
): Promise<void> {
  const { waiting: known = [], ...handed } = (await handedTo(tx, session)) ?? nobody
  const before = handed.route?.turn === route.turn ? handed.route : undefined
  const waiting = before === undefined ? [] : known
  const isBusy = before !== undefined && nextOf(before, await endedCalls(tx.db, before.calls)).length > 0
  if (isBusy || waiting.length > 0) await handTo(tx, session, { ...handed, waiting: [...waiting, route] })
  else await handTo(tx, session, { ...handed, route: { calls: [], ...route } })
}

/** A message without the names that say who works on it. */
export function taskIn(text: string, agents: readonly string[]): string {
  const names = [...delegating, ...agents].filter((name) => name !== '').toSorted((a, b) => b.length - a.length)
  return text.replace(new RegExp(`[@＠](?:${names.join('|')})(?![A-Za-z0-9_-])[,:：，]?[ \\t]*`, 'giu'), '').trim()
}

/**
 * The next calls of a request that agents work on; undefined when the model is to be asked. A call that was decided on
 * and has no outcome was never made, since the model is asked for nothing until all have ended.
 */
export async function nextCalls(scope: ModelScope): Promise<ModelPermit | undefined> {
  const { bot, session, row, lease, aside } = scope
  if (lease === undefined || aside !== undefined) return undefined
  return bot.store.fenced(lease, async (tx): Promise<ModelPermit | undefined> => {
    const handed = await handedTo(tx, session.id)
    if (handed?.route?.turn !== row.id) return undefined
    const { waiting = [], ...to } = handed
    let { route } = handed
    let due = await callsFor(tx, session.id, route)
    let passed = 0
    for (const next of waiting) {
      // The model is asked before what comes after a request that it hands out itself.
      if (due.calls.length > 0 || (passed > 0 && route.how === 'delegate')) break
      route = { ...next, calls: [] }
      due = await callsFor(tx, session.id, route)
      passed++
    }
    if (passed > 0) scope.promptChanged?.()
    else if (due.calls.length === 0) return undefined
    const left = waiting.slice(passed)
    const now = { ...to, route: { ...route, calls: due.ids }, ...(left.length > 0 && { waiting: left }) }
    await handTo(tx, session.id, now)
    return due.calls.length > 0 ? { kind: 'call', calls: due.calls } : undefined
  })
}

/** The calls that are due for a request, and those that were decided on for it so far. */
async function callsFor(
  tx: Tx,
  session: Session['id'],
  route: Routed,
): Promise<{ calls: CallInPlace[]; ids: CallId[] }> {
  const outcomes = await endedCalls(tx.db, route.calls)
  const places = nextOf(route, outcomes)
  const none = { calls: [], ids: route.calls }
  if (places.length === 0) return none
  const { text, files } = await askedIn(tx.db, session, route)
  // It was taken back meanwhile.
  if (text === '' || text === deletedText) return none
  const ids = [...route.calls]
  const calls = places.map((place): CallInPlace => {
    // One that is gone meanwhile is refused: nobody else does its part.
    const agent = route.agents[place] || undefined
    const before =
      route.how === 'chain' && place > 0 ? outcomes.get(route.calls[place - 1] as CallId)?.result : undefined
    const task = taskFor(text, before, route.agents[place - 1])
    const input = { task, ...(agent !== undefined && { agent }), ...(files.length > 0 && { files }) }
    const id = route.calls[place] ?? newId('call', tx.now)
    ids[place] = id
    return { id, tool: delegateTool, input }
  })
  return { calls, ids }
}

/** The places of the agents whose turn it is. A chain ends with the first that doesn't get its part done. */
function nextOf({ how, agents, calls }: Routed, outcomes: ReadonlyMap<CallId, { state: string }>): number[] {
  const isOpen = (place: number) => !outcomes.has(calls[place] as CallId)
  if (how === 'parallel') return [...agents.keys()].filter(isOpen)
  if (how !== 'chain') return []
  const place = agents.findIndex((_, at) => outcomes.get(calls[at] as CallId)?.state !== 'done')
  return place >= 0 && isOpen(place) ? [place] : []
}

/** The message that is worked on. */
async function askedIn(db: Db, session: Session['id'], { message, agents }: Routed) {
  const [asked] = await readMessages(db, session, { from: message, to: message })
  const files = asked?.role === 'user' ? asked.files.map(({ path }) => path) : []
  return { text: taskIn(asked?.text ?? '', agents), files: files.slice(0, mostFiles) }
}

function taskFor(text: string, before: string | undefined, agent = ''): string {
  if (before === undefined) return text.slice(0, mostCharacters)
  const asked = text.slice(0, mostCharacters / 2)
  return `${asked}\n\nThe agent ${agent || 'before you'} has done a part of it. Build on this:\n\n${before.slice(0, mostCharacters - asked.length)}`
}
