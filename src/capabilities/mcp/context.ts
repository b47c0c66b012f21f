import type { ToolContext } from '../../domain/tool.ts'

/** A tool of a server, and the description under which it was approved. */
export interface ToolRef {
  server: string
  tool: string
  hash: string
}

/** What the tools of servers may use. */
export interface McpContext extends ToolContext {
  mcp: { call(tool: ToolRef, input: Record<string, unknown>, context: ToolContext): Promise<string> }
}
