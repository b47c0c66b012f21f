import type { CallId, SessionId, TurnId } from '../../domain/ids.ts'
import { handedTo, handTo, noteRun, stepsOf } from '../../store/agents.ts'
import { appendEvents } from '../../store/events.ts'
import type { HandedTo } from '../../store/session-rows.ts'
import { loadTools } from '../../store/session-tools.ts'
import type { Tx } from '../../store/store.ts'
import { transferBack, transferOf } from './names.ts'
import { atWork, nobody } from './routed.ts'
import { type AgentsSettings, agentNamed, agentsOn, mayHandOver } from './settings.ts'

interface Change {
  session: SessionId
  turn: TurnId
  stack: string[]
  chosen: boolean
  call?: CallId
}

/** Another agent has the thread from now on, or the bot itself. */
export async function change(
  tx: Tx,
  { session, turn, stack, chosen, call }: Change,
  settings: AgentsSettings,
): Promise<void> {
  const step = await stepsOf(tx, turn)
  const handed = (await handedTo(tx, session)) ?? nobody
  const { route, isOff } = handed
  const stays = { ...(isOff && !chosen && { isOff }), ...(route?.turn === turn && atWork(handed)) }
  const to: HandedTo = { stack, chosen, turn, step, ...(call !== undefined && { call }), ...stays }
  await handTo(tx, session, to)
  const agent = stack.at(-1) ?? ''
  await noteRun(tx, { session, turn, place: step, agent, version: agentNamed(settings, agent)?.version ?? '' })
  // The hand-over tools belong to a thread as soon as an agent has it.
  if (!mayHandOver(settings))
    await loadTools(tx, session, [...agentsOn(settings).map(({ name }) => transferOf(name)), transferBack])
  const data = { turn_id: turn, capability: 'agents', event: 'taken_over', data: { agent, stack } }
  await appendEvents(tx, session, [{ type: 'custom', data }])
}
