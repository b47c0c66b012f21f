import type { ToolCall } from '../../domain/messages.ts'
import { saidOfCall } from '../../domain/said-of-call.ts'
import type { SourcePage, Tool } from '../../domain/tool.ts'

/** The web pages that a call's result comes from. A tool that fails to say so says none. */
export const sourcesOf = (tool: Tool | undefined, call: ToolCall, result: string): readonly SourcePage[] =>
  saidOfCall(tool, call, (input) => tool?.sources?.(input, result)) ?? []
