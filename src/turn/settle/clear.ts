import type { ChildTool, RunTool } from '../../domain/tool.ts'
import { isOutage } from '../../kit/failure.ts'
import { LeaseLost } from '../../store/lease-lost.ts'
import type { Judgement } from '../../trust/judgement.ts'
import type { CallStatus, OpenCall, Settled } from '../port/calls.ts'
import { failureText } from '../port/failure-text.ts'
import type { Turn } from '../state/turn.ts'
import { end } from './end-settled.ts'
import { type Circling, circles, permit } from './permit.ts'

/** Whether a call may begin, as the policy, people and capabilities say. If not, it waits or has ended. */
export async function clear(
  call: OpenCall,
  tool: RunTool<never> | ChildTool<never, never>,
  input: never,
  turn: Turn,
): Promise<{ judgement: Judgement } | { settled: Settled }> {
  const { hooks } = turn.bot.capabilities
  try {
    if (call.state !== 'started') await hooks.mayCall(tool, turn, input, turn.hookContext)
  } catch (thrown) {
    return { settled: await unlessCircling(call, turn, 'denied', refusalOf(thrown, turn)) }
  }
  const clearance = await permit(call, tool, input, turn)
  if (clearance.kind === 'waiting') return { settled: 'waiting' }
  if (clearance.kind === 'denied')
    return { settled: await end(call, 'denied', clearance.text, turn, { rule: clearance.rule }) }
  try {
    if (call.state !== 'started') await hooks.beforeCall({ tool: tool.name, input }, turn.hookContext)
  } catch (thrown) {
    return { settled: await end(call, 'denied', refusalOf(thrown, turn), turn) }
  }
  // A call that was still queued when the turn was stopped must not start.
  turn.signal.throwIfAborted()
  return clearance
}

/** Why a capability refuses a call. What ended the run isn't a refusal: the next run asks the capability again. */
function refusalOf(thrown: unknown, { signal }: Turn): string {
  if (signal.aborted || thrown instanceof LeaseLost || isOutage(thrown)) throw thrown
  return failureText(thrown)
}

/** Ends a call that can't be made, unless the model repeats it again and again. */
export async function unlessCircling(call: OpenCall, turn: Turn, status: CallStatus, text: string): Promise<Settled> {
  const circling: Circling = await circles(call, call.hash, turn)
  if (circling.kind === 'waiting') return 'waiting'
  return circling.kind === 'denied' ? end(call, 'denied', circling.text, turn) : end(call, status, text, turn)
}
