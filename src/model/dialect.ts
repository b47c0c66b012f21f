import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import { reasonOf } from '../kit/failure.ts'
import type { ModelSlot, Sampling, ToolDefinition } from '../kit/model/model.ts'
import { withoutKeys } from './failures.ts'
import { areSame, type HistoryWays, historyLesson, usualWays, withLesson } from './history-ways.ts'
import { isRefusal, refusedTool, refusing, saysNoThinking } from './refusals.ts'

/** Optional parameters. Newer models refuse a temperature and have renamed max_tokens; old servers lack others. */
interface Extras {
  temperature?: number
  top_p?: number
  max_tokens?: number
  max_completion_tokens?: number
  stream_options?: { include_usage: boolean }
  reasoning_effort?: 'none'
  tools?: ChatCompletionTool[]
  tool_choice?: 'none'
}

const optional = [
  ...(['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'stream_options'] as const),
  ...(['reasoning_effort', 'tool_choice', 'tools'] as const),
] as const
type Optional = (typeof optional)[number]

/** The parameter among those sent that the endpoint rejects, if that is what the error says. */
function unsupportedParameter(thrown: unknown, sent: Extras): Optional | undefined {
  if (!isRefusal(thrown)) return undefined
  const coded = thrown.code === 'unsupported_parameter' || thrown.code === 'unsupported_value'
  const worded = refusing.test(thrown.message)
  if (!coded && !worded) return undefined
  const names = optional.filter((name) => name in sent)
  return names.find((name) => thrown.param === name) ?? names.find((name) => thrown.message.includes(name))
}

interface Sent {
  extras: Extras
  ways: HistoryWays
  tools: ToolDefinition[]
}

/** Hears of a tool that is left out from now on, and what the endpoint says. */
export type ToolLeftOut = (tool: ToolDefinition, why: string) => void

/** Remembers what this endpoint accepts, so that only its first request fails. */
export function dialectOf(slot: ModelSlot, leftOut: ToolLeftOut = () => {}) {
  const refused = new Set<Optional>()
  /** As they were refused: once one is described differently, it is tried again. */
  const refusedTools = new Set<string>()
  let ways = usualWays
  /** Whether the model may think although it has tools. */
  let thinks = true

  return {
    get ways(): HistoryWays {
      return ways
    },
    extras(sampling: Sampling & { outputLimit: number }, withTools: boolean): Extras {
      const { temperature = slot.temperature, topP, outputLimit } = sampling
      const all: Extras = {
        temperature,
        ...(topP !== undefined && { top_p: topP }),
        ...(refused.has('max_tokens') ? { max_completion_tokens: outputLimit } : { max_tokens: outputLimit }),
        stream_options: { include_usage: true },
        ...(withTools && !thinks && { reasoning_effort: 'none' }),
      }
      for (const name of refused) delete all[name]
      return all
    },
    taken: (tools: ToolDefinition[]): ToolDefinition[] =>
      refusedTools.size === 0 ? tools : tools.filter((tool) => !refusedTools.has(JSON.stringify(tool))),
    /** What goes along where no calls are wanted: endpoints want to know the tools that were called before. */
    toolsOnly(tools: ChatCompletionTool[]): Extras {
      if (tools.length === 0 || refused.has('tools')) return {}
      return { tools, ...(!refused.has('tool_choice') && { tool_choice: 'none' }) }
    },
    /** It calls tools although it is told not to (Ollama drops `tool_choice`). False if that was known. */
    callsAnyway(): boolean {
      const isNew = !refused.has('tools')
      refused.add('tools')
      return isNew
    },
    /** True if the same request may work now. Others that were `sent` at the same time may have learned it already. */
    learn(thrown: unknown, sent: Sent): boolean {
      // First, because an endpoint may quote the history, which may name a parameter.
      const lesson = historyLesson(thrown)
      if (lesson !== undefined) {
        ways = withLesson(ways, lesson)
        return !areSame(ways, sent.ways)
      }
      const tool = refusedTool(thrown, sent.tools)
      if (tool !== undefined) {
        const written = JSON.stringify(tool)
        if (!refusedTools.has(written)) leftOut(tool, withoutKeys(reasonOf(thrown), slot.apiKey))
        refusedTools.add(written)
        return true
      }
      const mayThink = sent.tools.length > 0 && sent.extras.reasoning_effort === undefined
      if (mayThink && !refused.has('reasoning_effort') && saysNoThinking(thrown)) {
        thinks = false
        return true
      }
      const name = unsupportedParameter(thrown, sent.extras)
      if (name === undefined) return false
      refused.add(name)
      return true
    },
  }
}
