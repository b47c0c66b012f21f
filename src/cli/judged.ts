import type { Inspection } from '../domain/inspection.ts'
import type { Tool } from '../domain/tool.ts'
import { Failure } from '../kit/failure.ts'
import { pathsWritten } from '../trust/paths-written.ts'
import { decide } from '../trust/policy.ts'
import type { Rules } from '../trust/rules.ts'
import { inspect, textsOf } from '../trust/verdict.ts'
import { UsageFault } from './usage.ts'

export const runsNothing = ({ name }: Tool): string =>
  `${name} runs nothing: it asks people, or ends the turn. The policy does not look at it.`

/** The policy's verdict on a call that a thread could make. */
export function verdictFor(tool: Tool, input: never, rules: Rules, isUntrusted: boolean) {
  if (tool.kind === 'run') return judged(tool, input, rules, isUntrusted).verdict
  return { kind: 'allow', rule: { layer: 'none', name: 'none' }, reason: runsNothing(tool), risk: 'low' } as const
}

/** The same with what was seen of it, and which path of it was taken for an upload. */
export function judged(tool: Tool, input: never, rules: Rules, isUntrusted: boolean) {
  const inspection = inspectedBy(tool, input)
  const uploaded = [...(tool.paths?.(input) ?? []), ...pathsWritten(inspection)].find(isUpload)
  // Only what can send something out is looked at for it, as when a turn runs.
  const carries = tool.effect === 'external' || tool.sends === true
  const verdict = decide(rules, {
    tool: tool.name,
    effect: tool.effect,
    sends: tool.sends === true,
    ...(tool.runsPrograms && { programs: 'contained' }),
    texts: textsOf(input),
    inspection,
    uploaded: uploaded !== undefined,
    barred: undefined,
    untrusted: isUntrusted && carries ? 'what somebody else wrote' : undefined,
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
