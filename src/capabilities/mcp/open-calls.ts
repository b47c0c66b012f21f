import type { ToolContext } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import type { Patience } from './patience.ts'

/** A call under way, whose server may ask people something. */
export interface OpenCall {
  /** The server's name for its tool. */
  tool: string
  context: ToolContext
  patience: Patience
  /** What the server may not ask for and was refused, in words for people. */
  notes: Set<string>
}

/** A call about which nobody can be asked. */
interface UnaskedCall {
  isUnasked: true
}

export type OpenCalls = Set<OpenCall | UnaskedCall>

/** Stands for the calls that nobody waits for any more, but that the server may still work on. */
export const givenUp: UnaskedCall = { isUnasked: true }

/** Makes a call, which is one of `calls` meanwhile: one about which nobody is asked, unless `call` says whom to ask. */
export async function whileOpen<T>(
  calls: OpenCalls,
  work: () => Promise<T>,
  call: OpenCall | UnaskedCall = { isUnasked: true },
): Promise<T> {
  calls.add(call)
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'mcp_lost') calls.add(givenUp)
    throw thrown
  } finally {
    calls.delete(call)
  }
}
