import type { Model } from '../../kit/model/model.ts'
import { outputReserve } from '../../kit/model/tokens.ts'
import type { ContextSettings } from './settings.ts'

export type Level = 'fine' | 'information' | 'warning' | 'critical'

/** How full the context is (C3). */
export function levelOf(
  tokens: number,
  budget: number,
  { information, warning, critical }: Pick<ContextSettings, 'information' | 'warning' | 'critical'>,
): Level {
  const share = budget <= 0 ? 1 : tokens / budget
  if (share >= critical) return 'critical'
  if (share >= warning) return 'warning'
  return share >= information ? 'information' : 'fine'
}

/** Tokens that a request may have: what the model can read or the settings allow, less what is reserved for the reply. */
export const budgetOf = (
  { contextLimit, outputLimit }: Pick<Model, 'contextLimit' | 'outputLimit'>,
  { tokens }: Pick<ContextSettings, 'tokens'>,
): number => Math.min(contextLimit, tokens) - Math.min(outputLimit, outputReserve)

/** What the model is told about a context that fills up (C7). */
export function warningAt(level: Level, tokens: number, budget: number): string[] {
  if (level === 'fine') return []
  const share = Math.round((tokens / budget) * 100)
  const fact = `The context of this thread is ${share} % full: about ${tokens} of ${budget} tokens.`
  if (level === 'information') return [`${fact} At the end of a piece of work, compact_context makes room.`]
  return [
    `${fact} Older messages will be summarised soon. Note down what you will need in a file, and read no more than you need.`,
  ]
}
