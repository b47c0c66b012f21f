import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'

/** Undefined if it isn't one. */
export function messageIn(line: string): JSONRPCMessage | undefined {
  try {
    const parsed = JSONRPCMessageSchema.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
