import type { NewEvent } from '../../domain/events.ts'
import { type CallId, newId, type SessionId, type TurnId } from '../../domain/ids.ts'
import type { Json } from '../../kit/json.ts'
import { endedCalls } from '../../store/calls.ts'
import { appendEvents } from '../../store/events.ts'
import { dropNote, readNote, writeNote } from '../../store/notes.ts'
import type { Db, Tx } from '../../store/store.ts'
import type { ModelPermit } from '../../turn/port/model-permit.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import type { Step } from './triggers.ts'

/** The tools that a matched skill has run before the model is asked, and how far that is. */
interface Plan {
  skill: string
  steps: readonly Step[]
  /** How many were begun. */
  begun: number
  /** The call of the last one that was begun. */
  call?: CallId
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
  const told: Told = known.turn === row.id ? await stateOf(known, store.db) : { events: [] }
  return store.fenced(lease, async (tx) => {
    await appendEvents(tx, session.id, told.events)
    if (told.next === undefined) {
      await dropNote(tx, noteOf(session.id))
      return undefined
    }
    const { place, call: id = newId('call', tx.now) } = told.next
    const { tool, input } = known.steps[place] as Step
    await writeNote(tx, noteOf(session.id), JSON.stringify({ ...known, begun: place + 1, call: id } satisfies Plan))
    return { kind: 'call', calls: [{ id, tool, input: input as Json }] }
  })
}

interface Told {
  events: NewEvent[]
  /** The step that is due; with the call that was decided on for it and hasn't been made. */
  next?: { place: number; call?: CallId }
}

/** A call without an outcome was never made, because the model isn't asked until all calls have ended. */
async function stateOf({ skill, steps, begun, call, turn }: Plan, db: Db): Promise<Told> {
  const about = { turn_id: turn, skill }
  const events: NewEvent[] = []
  if (begun === 0) {
    events.push({ type: 'skill_execution_start', data: { ...about, tools: steps.map(({ tool }) => tool) } })
  } else {
    const last = steps[begun - 1] as Step
    const outcome = call && (await endedCalls(db, [call])).get(call)
    if (call !== undefined && outcome === undefined) return { events, next: { place: begun - 1, call } }
    const status = outcome?.state === 'done' ? 'done' : 'failed'
    events.push({ type: 'skill_tool_result', data: { ...about, tool_name: last.tool, status } })
    if (status === 'failed') {
      events.push({ type: 'skill_fallback', data: { ...about, tool_name: last.tool } })
      return { events }
    }
  }
  const next = steps[begun]
  if (next === undefined) return { events: [...events, { type: 'skill_execution_complete', data: about }] }
  return {
    events: [...events, { type: 'skill_tool_start', data: { ...about, tool_name: next.tool } }],
    next: { place: begun },
  }
}
