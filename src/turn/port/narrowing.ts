import type { Tool } from '../../domain/tool.ts'
import type { Sampling, SlotName } from '../../kit/model/model.ts'
import type { Rules } from '../../trust/rules.ts'
import { type Stricter, stricterRules } from '../../trust/stricter.ts'

/** How a thread is answered differently from others. It can only take away what the thread has. */
export interface Narrowing {
  /** Whether the model is offered this tool, and may call it. */
  has?(tool: Tool): boolean
  /** Added to the rules that calls are judged by. */
  stricter?: readonly Stricter[]
  /** The most steps of the turn, from its beginning. */
  steps?: number
  /** Who answers, unless people chose a model for the thread. */
  slot?: SlotName
  sampling?: Sampling
}

/** What is left when all of these hold. */
export const together = (all: readonly Narrowing[]): Narrowing => ({
  ...Object.assign({}, ...all.toReversed()),
  has: (tool) => all.every(({ has }) => has?.(tool) ?? true),
  stricter: all.flatMap(({ stricter = [] }) => stricter),
  steps: Math.min(...all.map(({ steps = Number.POSITIVE_INFINITY }) => steps)),
})

/** The rules that calls of this tool are judged by. */
export const narrowed = (rules: Rules, { stricter = [] }: Narrowing, { name }: Tool): Rules =>
  stricter.reduce((before, more) => stricterRules(before, more, name), rules)
