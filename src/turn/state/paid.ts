import type { NewEvent } from '../../domain/events.ts'
import { dollarsOf, nanosOf, sumOf } from '../../kit/model/cost.ts'
import { ModelFailure, type Reply, type Usage } from '../../kit/model/model.ts'
import { charactersPerToken } from '../../kit/model/tokens.ts'
import type { Answerer } from '../../model/answerers.ts'
import type { Session } from '../../store/sessions.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { Spender, Spent } from '../../store/usage.ts'

/** The tokens of a model call, and what it cost if that is known. */
export interface Paid {
  /** The model that answered, by the name people know. */
  model?: string
  usage?: Usage | undefined
  spent?: Spent | undefined
}

/** What a reply cost. Without a price nothing is recorded but its tokens. `sent`: the characters of its request. */
export function paidFor(
  { usage, wasted, text, thought, calls }: Reply,
  { slot, model, price }: Answerer,
  { sent, reserve }: { sent(): number; reserve?: string | undefined },
): Paid {
  if (price === undefined) return { model: model.name, usage }
  const said = calls.reduce((sum, call) => sum + call.arguments.length, text.length + thought.length)
  const tokens = (characters: number) => Math.ceil(characters / charactersPerToken)
  // Some servers count nothing.
  const taken = usage ?? { input: tokens(sent()), output: tokens(said), cached: 0 }
  const counted = wasted === undefined ? taken : sumOf(taken, wasted)
  const tools = calls.map(({ name }) => name)
  return {
    model: model.name,
    usage,
    spent: { usage: counted, slot, model: model.name, nanos: nanosOf(counted, price), tools, reserve },
  }
}

/** What attempts that brought no reply cost, if that is known. */
export function paidInVain(
  thrown: unknown,
  { slot, model, price }: Answerer,
  reserve: string | undefined,
): Spent | undefined {
  if (!(thrown instanceof ModelFailure) || thrown.usage === undefined || price === undefined) return undefined
  const { usage } = thrown
  return { usage, slot, model: model.name, nanos: nanosOf(usage, price), tools: [], reserve }
}

export const spenderIn = ({ turn, session }: { turn: StoredTurn; session: Session }): Spender => ({
  session: session.id,
  turn: turn.id,
  thread: session.thread,
  person: turn.person,
})

export function costEvent(turn: StoredTurn, { usage, slot, model, nanos }: Spent): NewEvent {
  const data = {
    turn_id: turn.id,
    slot,
    model,
    tokens_in: usage.input,
    tokens_cached: usage.cached,
    tokens_written: usage.written ?? 0,
    tokens_out: usage.output,
    tokens_reasoning: usage.reasoning ?? 0,
    usd: dollarsOf(nanos),
  }
  return { type: 'cost_update', data }
}
