import { inputOf, type ToolCall } from './messages.ts'
import type { Tool } from './tool.ts'

/** What a tool says of a call; undefined if it fails to, or the call has other arguments than it takes. */
export function saidOfCall<Said>(
  tool: Tool | undefined,
  call: Pick<ToolCall, 'arguments'>,
  say: (input: never) => Said,
): Said | undefined {
  try {
    const input = tool?.input.safeParse(inputOf(call))
    return input?.success ? say(input.data as never) : undefined
  } catch {
    // It only describes the call, which must not fail because of that.
    return undefined
  }
}
