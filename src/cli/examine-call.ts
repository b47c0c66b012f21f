import type { Inspection } from '../domain/inspection.ts'
import type { Tool } from '../domain/tool.ts'
import { Failure } from '../kit/failure.ts'
import { canSend } from '../trust/given.ts'
import { pathsWritten } from '../trust/paths-written.ts'
import type { Rules } from '../trust/rules.ts'
import { inspect, verdictOn } from '../trust/verdict.ts'
import { UsageFault } from './usage.ts'

export const runsNothing = ({ name }: Tool): string =>
  `${name} runs nothing: it asks people, or ends the turn. The policy does not look at it.`

/** The policy's verdict on a call that a thread might make. */
export function verdictFor(tool: Tool, input: never, rules: Rules, isUntrusted: boolean) {
  if (tool.kind === 'run') return examineCall(tool, input, rules, isUntrusted).verdict
  return { kind: 'allow', rule: { layer: 'none', name: 'none' }, reason: runsNothing(tool), risk: 'low' } as const
}

/** The same, with the call's inspection and the path that was treated as an upload. */
export function examineCall(tool: Tool, input: never, rules: Rules, isUntrusted: boolean) {
  const inspection = inspectedBy(tool, input)
  const uploaded = [...(tool.paths?.(input) ?? []), ...pathsWritten(inspection)].find(isUpload)
  const verdict = verdictOn(tool, input, inspection, rules, {
    ...(tool.runsPrograms && { programs: 'contained' }),
    uploaded: uploaded !== undefined,
    barred: undefined,
    untrusted: isUntrusted && canSend(tool) ? 'what somebody else wrote' : undefined,
    grants: [],
    binding: '',
    hash: '',
  })
  return { verdict, inspection, uploaded }
}

function inspectedBy(tool: Tool, input: never): Inspection {
  try {
    return inspect(tool, input)
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    throw new UsageFault(`${tool.name} refuses these arguments: ${thrown.message}`, thrown.remedy)
  }
}

const isUpload = (path: string): boolean => /^(\.\/)*uploads\//.test(path)
