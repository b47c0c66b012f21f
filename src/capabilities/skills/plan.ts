import type { NewEvent } from '../../domain/events.ts'
import type { SessionId, TurnId } from '../../domain/ids.ts'
import type { Json } from '../../kit/json.ts'
import { findCallWith, readCall } from '../../store/calls.ts'
import { appendEvents } from '../../store/events.ts'
import { dropNote, readNote, writeNote } from '../../store/notes.ts'
import type { Db, Tx } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { ModelPermit } from '../../turn/port/model-permit.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import type { Step } from './triggers.ts'

/** The tools that a matched skill has run before the model is asked, and how far that is. */
interface Plan {
  skill: string
  steps: readonly Step[]
  /** How many were begun. */
  begun: number
  /** The turn that runs it. */
  turn: TurnId
}

const noteOf = (session: SessionId): string => `skills.plan.${session}`

/** In the transaction that reads the message. */
export const plan = (
  tx: Tx,
  session: SessionId,
  { skill, steps, turn }: Pick<Plan, 'skill' | 'steps' | 'turn'>,
): Promise<void> => writeNote(tx, noteOf(session), JSON.stringify({ skill, steps, begun: 0, turn } satisfies Plan))

/**
 * The next tool of a plan, or nothing if the model is to be asked: all have run, or one has failed. A call is asked for
 * and approved like all others.
 */
export async function nextStep({ bot, session, row, lease, aside }: ModelScope): Promise<ModelPermit | undefined> {
  if (lease === undefined || aside !== undefined) return undefined
  const { store } = bot
  const text = await readNote(store.db, noteOf(session.id))
  if (text === undefined) return undefined
  const known = JSON.parse(text) as Plan
  // The turn whose message matched may have been stopped before it came to this.
  const told: { events: NewEvent[]; next?: Step } =
    known.turn === row.id ? await stateOf(known, row, store.db) : { events: [] }
  return store.fenced(lease, async (tx) => {
    await appendEvents(tx, session.id, told.events)
    if (told.next === undefined) await dropNote(tx, noteOf(session.id))
    else await writeNote(tx, noteOf(session.id), JSON.stringify({ ...known, begun: known.begun + 1 }))
    if (told.next === undefined) return undefined
    const { tool, input } = told.next
    return { kind: 'call', calls: [{ tool, input: input as Json }] }
  })
}

async function stateOf(
  known: Plan,
  turn: Pick<StoredTurn, 'id' | 'session'>,
  db: Db,
): Promise<{ events: NewEvent[]; next?: Step }> {
  const { skill, steps, begun } = known
  const about = { turn_id: turn.id, skill }
  const events: NewEvent[] = []
  if (begun === 0) {
    events.push({ type: 'skill_execution_start', data: { ...about, tools: steps.map(({ tool }) => tool) } })
  } else {
    const last = steps[begun - 1] as Step
    const id = await findCallWith(db, turn, last.tool, JSON.stringify(last.input))
    const state = id === undefined ? 'unknown' : (await readCall(db, id)).state
    const status = state === 'done' ? 'done' : 'failed'
    events.push({ type: 'skill_tool_result', data: { ...about, tool_name: last.tool, status } })
    if (status === 'failed') {
      events.push({ type: 'skill_fallback', data: { ...about, tool_name: last.tool } })
      return { events }
    }
  }
  const next = steps[begun]
  if (next === undefined) return { events: [...events, { type: 'skill_execution_complete', data: about }] }
  return { events: [...events, { type: 'skill_tool_start', data: { ...about, tool_name: next.tool } }], next }
}
