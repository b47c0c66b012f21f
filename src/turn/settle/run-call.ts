import { type RunTool, type Tool, type ToolContext, UnknownOutcome } from '../../domain/tool.ts'
import { unlessAborted } from '../../kit/abort.ts'
import { Failure, isOutage, reasonOf } from '../../kit/failure.ts'
import type { CallStatus } from '../port/calls.ts'
import { failureText } from '../port/failure-text.ts'

export interface CallResult {
  status: CallStatus
  text: string
  /** All of it is the program's word, and nothing of it the tool's, which may quote others. */
  isOurs?: true
}

/**
 * Runs a tool with its timeout. A tool that ignores its signal isn't waited for. Throws only when `signal` is aborted,
 * and then all that is known about the call is that it was started; or when it is to be run again after an outage.
 */
export async function runCall(
  tool: RunTool<never>,
  input: never,
  context: Omit<ToolContext, 'signal'>,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<CallResult> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const either = AbortSignal.any([signal, timeout])
  try {
    const text = await unlessAborted(either, () => tool.run(input, { ...context, signal: either }))
    return { status: 'done', text }
  } catch (thrown) {
    signal.throwIfAborted()
    if (timeout.aborted) return timedOut(tool, timeoutMs)
    if (tool.repeatable && isOutage(thrown)) throw thrown
    if (thrown instanceof UnknownOutcome && mayHaveActed(tool))
      return { status: 'unknown', text: unknownOutcome(reasonOf(thrown).replace(/\.$/, '')) }
    const isOurs = thrown instanceof Failure && thrown.isOurs
    return { status: 'failed', text: failureText(thrown), ...(isOurs && { isOurs }) }
  }
}

/** Whether a failed call may have done something that must not be done twice. */
export const mayHaveActed = ({ effect, repeatable }: Tool): boolean => effect !== 'read' && !repeatable

function timedOut(tool: RunTool<never>, timeoutMs: number): CallResult {
  const fact = `${tool.name} did not end within ${timeoutMs} ms`
  if (mayHaveActed(tool)) return { status: 'unknown', text: unknownOutcome(fact), isOurs: true }
  return { status: 'failed', text: `Error: ${fact}. Try a smaller part.`, isOurs: true }
}

export const unknownOutcome = (fact: string): string =>
  `Unknown outcome: ${fact}; it may have taken effect. Check before you try again.`

export const unknownStart =
  'Unknown outcome: this was started, but the process ended before the result was known. It may or may not have taken effect. Check the current state before you try it again.'
