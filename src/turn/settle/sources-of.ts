import { inputOf, type ToolCall } from '../../domain/messages.ts'
import type { SourcePage, Tool } from '../../domain/tool.ts'

/** The web pages that a call's result comes from. A tool that fails to say so says none. */
export function sourcesOf(tool: Tool | undefined, call: ToolCall, result: string): readonly SourcePage[] {
  const input = tool?.sources && tool.input.safeParse(inputOf(call))
  try {
    return (input?.success ? tool?.sources?.(input.data as never, result) : undefined) ?? []
  } catch {
    // The call itself has succeeded, and its result says the same.
    return []
  }
}
