import { fitsName } from '../kit/patterns/name.ts'
import { ruleOf } from './layers.ts'
import { lateWildcard, type Rules } from './rules.ts'
import { isAtLeast } from './subject.ts'

/** What is asked about or denied besides what the rules say. A `*` at the end of a tool's name matches any ending. */
export interface Stricter {
  /** Tools that need approval each time. */
  ask: readonly string[]
  /** Patterns that are forbidden, by tool. */
  deny: Readonly<Record<string, readonly string[]>>
}

/** The rules for this tool with these added. They can't allow anything that the rules don't. */
export function stricterRules(rules: Rules, { ask, deny }: Stricter, tool: string): Rules {
  const isAsked = ask.some((name) => fitsName(name, tool))
  const denied = Object.entries(deny).filter(([name]) => fitsName(name, tool))
  if (!isAsked && denied.length === 0) return rules
  const known = ruleOf(rules, tool) ?? plain
  const more = denied.flatMap(([, patterns]) => patterns.map(lateWildcard))
  // What it says isn't why these are forbidden.
  const reason = more.length === 0 ? known.reason : undefined
  const risk = isAtLeast(known.risk, rules.ask_from) ? known.risk : rules.ask_from
  const asked = isAsked && { mode: 'confirm' as const, allow: [], approvals: true, risk }
  const now = { ...known, reason, deny: [...known.deny, ...more], ...asked }
  return { ...rules, tools: new Map(rules.tools).set(tool, now) }
}

const plain = { approvals: true, risk: 'medium' as const, deny: [], allow: [], reason: undefined }
