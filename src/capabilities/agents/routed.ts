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

const nobody: HandedTo = { stack: [], chosen: false, step: 0 }

/** Whether the request of a turn was given to several agents, or to subagents by hand. */
export const isRouted = ({ agents }: Pick<Session, 'agents'>, turn: string): boolean =>
  agents?.route?.turn === turn && agents.route.how !== 'none'

/** Notes who works on a turn's request, beside whoever has the thread. */
export async function routeTo(
  tx: Tx,
  session: Session['id'],
  route: Omit<Routed, 'calls'> & Partial<Routed>,
): Promise<void> {
  const handed = (await handedTo(tx, session)) ?? nobody
  await handTo(tx, session, { ...handed, route: { calls: [], ...route } })
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
export async function nextCalls({
  bot: { store },
  session,
  row,
  lease,
  aside,
}: ModelScope): Promise<ModelPermit | undefined> {
  if (lease === undefined || aside !== undefined) return undefined
  return store.fenced(lease, async (tx): Promise<ModelPermit | undefined> => {
    const handed = await handedTo(tx, session.id)
    const route = handed?.route
    if (handed === undefined || route?.turn !== row.id) return undefined
    const outcomes = await endedCalls(tx.db, route.calls)
    const next = nextOf(route, outcomes)
    if (next.length === 0) return undefined
    const { text, files } = await askedIn(tx.db, session.id, route)
    // It was taken back meanwhile.
    if (text === '' || text === deletedText) return undefined
    const calls = next.map((place): CallInPlace & { id: CallId } => {
      // One that is gone meanwhile is refused: nobody else does its part.
      const agent = route.agents[place] || undefined
      const before =
        route.how === 'chain' && place > 0 ? outcomes.get(route.calls[place - 1] as CallId)?.result : undefined
      const task = taskFor(text, before, route.agents[place - 1])
      const input = { task, ...(agent !== undefined && { agent }), ...(files.length > 0 && { files }) }
      return { id: route.calls[place] ?? newId('call', tx.now), tool: delegateTool, input }
    })
    const ids = [...route.calls]
    for (const [at, place] of next.entries()) ids[place] = calls[at]?.id as CallId
    await handTo(tx, session.id, { ...handed, route: { ...route, calls: ids } })
    return { kind: 'call', calls }
  })
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
