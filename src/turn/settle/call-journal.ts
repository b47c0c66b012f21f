import type { NewEvent } from '../../domain/events.ts'
import type { Tool } from '../../domain/tool.ts'
import type { RuleRef } from '../../domain/verdict.ts'
import { oneLine } from '../../kit/text/text.ts'
import { aboutCall } from '../../outbound/fold-turn.ts'
import { appendAudit } from '../../store/audit.ts'
import { markEnded, markStarted, readCall, type StoredCall } from '../../store/calls.ts'
import { appendEvents } from '../../store/events.ts'
import { countUses } from '../../store/grants.ts'
import { endJobs } from '../../store/jobs.ts'
import { appendMessage } from '../../store/messages.ts'
import { findRequestOfCall } from '../../store/requests.ts'
import type { Session } from '../../store/sessions.ts'
import type { Lease, Store, Tx } from '../../store/store.ts'
import { forgetDeaths, type StoredTurn } from '../../store/turns.ts'
import type { Begin, BeginOptions, CallStatus, OpenCall } from '../port/calls.ts'
import { endChild } from '../state/close-open.ts'
import { withdrawRequest } from './ask-person.ts'
import { shownInput } from './shown-input.ts'
import { sourcesOf } from './sources-of.ts'

/** What the rows of a call need of its turn. */
interface CallTurn {
  store: Store
  lease: Lease
  row: StoredTurn
  session: Pick<Session, 'parent'>
  pastCrash(): void
  titleOf(call: OpenCall): string | undefined
  findTool(name: string): Tool | undefined
}

/** How often a repeatable call is started. */
const mostAttempts = 5

/** Stores the start of a call, before anything of it runs. */
export function beginCall(turn: CallTurn, call: OpenCall, options: BeginOptions): Promise<Begin> {
  const { store, lease } = turn
  const begin = async (tx: Tx): Promise<Begin> => {
    const { state, attempt } = await readCall(tx.db, call.id)
    // An earlier process, or an aborted run of this one, started it, and its outcome is unknown. A repeatable call runs
    // again, but not for ever, since it may be what crashes the process.
    if (state === 'started' && (!options.repeatable || attempt >= mostAttempts)) return { do: 'unknown' }
    const started = await noteStart(tx, turn, call, { ...options, state })
    if (started === 'denied') return { do: 'wait' }
    return started === 'ungranted' ? { do: 'judge' } : { do: 'run', key: call.id, attempt: started }
  }
  return store.fenced(lease, begin, { next_event: 1 })
}

/**
 * Stores that a call starts now. Returns which attempt this is, unless it was denied or a grant has ended since it was
 * judged.
 */
export async function noteStart(
  tx: Tx,
  turn: Pick<CallTurn, 'row' | 'lease' | 'session' | 'titleOf'>,
  call: OpenCall,
  { hash, rule, grants, state }: Omit<BeginOptions, 'repeatable'> & Pick<StoredCall, 'state'>,
): Promise<number | 'denied' | 'ungranted'> {
  const request = state === 'waiting' ? await findRequestOfCall(tx.db, call.id, ['approval']) : undefined
  if (request?.kind === 'approval' && request.answer?.decision === 'deny') return 'denied'
  // Whoever ends a grant of a thread holds the thread first.
  if (grants.length > 0 && turn.session.parent !== undefined) await tx.hold(turn.session.parent.session)
  if (!(await countUses(tx, grants))) return 'ungranted'
  // From now on, whoever denies it is too late.
  if (state === 'waiting') await withdrawRequest(tx, call.id)
  const { parent } = turn.session
  const { session } = turn.row
  const title = turn.titleOf(call)
  const attempt = await markStarted(tx, call.id, turn.lease.epoch)
  await appendEvents(tx, session, [actEvent(turn.row.id, call, attempt, title)])
  const does = title ?? `${call.name} ${aboutCall(tx.mask(shownInput(call)))}`.trim()
  if (parent !== undefined) await appendEvents(tx, parent.session, [lineOf(parent, does)])
  // Masked before it is cut, because nobody would recognize a part of a secret.
  const input = tx.mask(JSON.stringify(tx.mask(shownInput(call))))
  const by = { input: oneLine(input, 500), layer: rule.layer, rule: rule.name, grants }
  const data = { call: call.id, tool: call.name, hash, attempt, ...by }
  await appendAudit(tx, { kind: 'started', session, data })
  return attempt
}

/**
 * Stores how a call ended. `rule`: the one that forbade it. `rounds`: how many model calls its result is sent to.
 * `isOurs`: all of its result is the program's word.
 */
export async function endCall(
  turn: CallTurn,
  call: OpenCall,
  status: CallStatus,
  result: string,
  {
    rule,
    rounds,
    isOurs = false,
  }: { rule?: RuleRef | undefined; rounds?: number | undefined; isOurs?: boolean | undefined } = {},
): Promise<void> {
  const { store, lease, row, pastCrash } = turn
  const { id, session, deaths } = row
  const end = async (tx: Tx): Promise<void> => {
    const { state, attempt, startedAt } = await readCall(tx.db, call.id)
    // Every call that wasn't denied needs a start and an act event, even if nothing of it ran.
    const unstarted = attempt === 0 && status !== 'denied'
    if (unstarted) await markStarted(tx, call.id, lease.epoch)
    if (!(await markEnded(tx, call.id, status, result))) return
    const by = rule && { layer: rule.layer, rule: rule.name, why: oneLine(result, 300) }
    const kind = rule ? 'refused' : 'ended'
    await appendAudit(tx, { kind, session, data: { call: call.id, tool: call.name, status, ...by } })
    // A process that is gone may have asked while it ran.
    if (call.state !== 'proposed') await withdrawRequest(tx, call.id)
    if (attempt > 0) await endJobs(tx, call.id)
    // The stored state: whoever ends the call may not have learned that its start was stored.
    if (state === 'started' && status !== 'done') await endChild(tx, call.id, 'the call that opened it has failed')
    // A call that failed before its start returned nothing.
    const program = status === 'denied' || isOurs || (unstarted && status === 'failed')
    await appendMessage(tx, session, { role: 'tool', turn: id, text: result, call: call.id, program, rounds })
    const duration_ms = startedAt === undefined ? undefined : tx.now - startedAt
    const events: NewEvent[] = unstarted ? [actEvent(id, call, 1, turn.titleOf(call))] : []
    const sources = status === 'done' ? sourcesOf(turn.findTool(call.name), call, result) : []
    const told = { turn_id: id, call_id: call.id, tool_name: call.name, status, result, duration_ms }
    const data = { ...told, ...(sources.length > 0 && { sources }) }
    await appendEvents(tx, session, [...events, { type: 'observe', data }])
    // An unknown outcome isn't progress.
    if (deaths > 0 && status !== 'unknown') await forgetDeaths(tx, id)
  }
  await store.fenced(lease, end, { next_message: 1, next_event: 1 })
  if (status !== 'unknown') pastCrash()
}

/** What a child does is a line of the call that opened it. */
function lineOf({ turn, call, name }: NonNullable<Session['parent']>, does: string): NewEvent {
  const text = `${name}: ${does}\n`
  return { type: 'output', data: { turn_id: turn, call_id: call, text } }
}

function actEvent(turn: StoredTurn['id'], call: OpenCall, attempt: number, title: string | undefined): NewEvent {
  const { id, name } = call
  const data = { turn_id: turn, call_id: id, tool_name: name, tool_input: shownInput(call), attempt }
  return { type: 'act', data: { ...data, ...(title !== undefined && { title }) } }
}
