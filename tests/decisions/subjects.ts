import type { Grant } from '../../src/domain/grant.ts'
import { callBinding } from '../../src/domain/grant.ts'
import type { Subject } from '../../src/trust/subject.ts'
import { inspect } from '../../src/trust/verdict.ts'
import { builtinTools } from '../../src/wiring/capabilities.ts'

/** A call of a built-in tool as the policy sees it, with some of it changed. */
export function subjectOf(name: string, input: object, changes: Partial<Subject> = {}): Subject {
  const tool = builtinTools.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  const parsed = tool.input.parse(input) as never
  return {
    tool: name,
    effect: tool.effect,
    sends: tool.sends === true,
    ...(tool.runsPrograms && { programs: 'contained' }),
    texts: Object.values(parsed as object).filter((value) => typeof value === 'string'),
    inspection: inspect(tool, parsed),
    uploaded: false,
    barred: undefined,
    untrusted: undefined,
    grants: [],
    binding: '',
    hash: `hash of ${JSON.stringify(input)}`,
    ...changes,
  }
}

export const command = (line: string, changes: Partial<Subject> = {}): Subject =>
  subjectOf('run_command', { command: line }, changes)

/** A grant of exactly this call. */
export const exactGrant = (subject: Subject, changes: Partial<Grant> = {}): Grant =>
  wideGrant(subject.tool, [], { binding: callBinding(subject.hash), ...changes })

/** A grant of all calls whose parts fit one of the patterns. */
export function wideGrant(tool: string, patterns: string[], changes: Partial<Grant> = {}): Grant {
  return {
    id: `grant_${patterns.join('_')}` as Grant['id'],
    tool,
    patterns,
    binding: '',
    scope: 'thread',
    session: 'ses_1',
    platform: 'memory',
    tenant: 'team',
    project: 'general',
    untrusted: false,
    until: undefined,
    request: 'req_1',
    by: { id: 'ana', name: 'ana' },
    at: 0,
    endedAt: undefined,
    endedBy: undefined,
    uses: 0,
    ...changes,
  }
}
