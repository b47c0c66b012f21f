import type { Tool } from '../domain/tool.ts'
import type { Verdict } from '../domain/verdict.ts'
import type { Rules } from './rules.ts'
import { verdictOn } from './verdict.ts'

/** No pattern fits it, but for one that fits any text. */
const plainCall = { subjects: [''], unclear: [] }

/**
 * What the rules say of a tool's calls as such: nothing in them stands out, nobody may be barred, nothing was granted,
 * and the thread has read nothing of strangers. Undefined for tools that only ask people, or end the turn.
 */
export function usualVerdict(tool: Tool, rules: Rules): Verdict | undefined {
  if (tool.kind === 'ask' || tool.kind === 'end') return undefined
  return verdictOn(tool, {} as never, plainCall, rules, {
    ...(tool.runsPrograms && { programs: 'contained' }),
    uploaded: false,
    barred: undefined,
    untrusted: undefined,
    grants: [],
    binding: '',
    hash: '',
  })
}
