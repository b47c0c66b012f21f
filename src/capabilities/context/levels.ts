import type { Model } from '../../kit/model/model.ts'
import { outputReserve } from '../../kit/model/tokens.ts'
import type { ContextSettings } from './settings.ts'

export type Level = 'fine' | 'information' | 'warning' | 'critical'

/** How full the context is. */
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

/** The most tokens of a request: what both the model and the settings allow, minus what is reserved for the reply. */
export const budgetOf = (
  { contextLimit, outputLimit }: Pick<Model, 'contextLimit' | 'outputLimit'>,
  { tokens }: Pick<ContextSettings, 'tokens'>,
): number => Math.min(contextLimit, tokens) - Math.min(outputLimit, outputReserve)

/** What the model is told when its context fills up. */
export function warningAt(
  level: Level,
  tokens: number,
  budget: number,
  { compact }: Pick<ContextSettings, 'compact'>,
): string[] {
  if (level === 'fine') return []
  const share = Math.round((tokens / budget) * 100)
  const fact = `The context of this thread is ${share} % full: about ${tokens} of ${budget} tokens.`
  if (level === 'information') return [`${fact} At the end of a piece of work, compact_context makes room.`]
  return [
    `${fact} Older messages will be ${compact ? 'summarised' : 'left out'} soon. Write what you will need later to a file, and read no more than necessary.`,
  ]
}
