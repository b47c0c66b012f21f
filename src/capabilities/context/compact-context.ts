import { z } from 'zod'
import { defineTool, type ToolContext } from '../../domain/tool.ts'
import type { Wish } from './compact.ts'
import type { SummarizeOrder } from './summarize-job.ts'
import { contextWords } from './words.ts'

/** What the context tools can use. */
export interface ContextTools extends ToolContext {
  /** Summarises older messages and returns how that went. */
  compact(strategy: Wish, signal: AbortSignal): Promise<string>
  history: {
    read(from: number, limit: number): Promise<string>
    search(words: string, limit: number): Promise<string>
  }
  summarize(order: SummarizeOrder, signal: AbortSignal): Promise<string>
}

export const compactContext = defineTool({
  kind: 'run',
  name: 'compact_context',
  onDemand: true,
  description: 'Replaces older messages with a summary. Use it when you are told that the context is filling up.',
  input: z.strictObject({
    strategy: z
      .enum(['auto', 'compact', 'summarize'])
      .default('auto')
      .describe('compact keeps technical detail, paths and calls; summarize is under 200 words.'),
  }),
  doing: () => contextWords.makingRoom(),
  effect: 'write',
  inPlanMode: true,
  repeatable: true,
  timeoutMs: 300_000,
  run: ({ strategy }, { compact, signal }: ContextTools) => compact(strategy, signal),
})
