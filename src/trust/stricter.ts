import { lateWildcard, type Rules } from './rules.ts'
import { isAtLeast } from './subject.ts'

/** What is asked about or denied besides what the rules say. */
export interface Stricter {
  /** Tools that need approval each time. */
  ask: readonly string[]
  /** Patterns that are forbidden, by tool. */
  deny: Readonly<Record<string, readonly string[]>>
}

/** The rules with these added. They can't allow anything that the rules don't. */
export function stricterRules(rules: Rules, { ask, deny }: Stricter): Rules {
  const tools = new Map(rules.tools)
  for (const name of new Set([...ask, ...Object.keys(deny)])) {
    const known = rules.tools.get(name) ?? rules.tools.get('*') ?? plain
    const more = (deny[name] ?? []).map(lateWildcard)
    // What it says isn't why these are forbidden.
    const reason = more.length === 0 ? known.reason : undefined
    const risk = isAtLeast(known.risk, rules.ask_from) ? known.risk : rules.ask_from
    const asked = ask.includes(name) && { mode: 'confirm' as const, allow: [], approvals: true, risk }
    tools.set(name, { ...known, reason, deny: [...known.deny, ...more], ...asked })
  }
  return { ...rules, tools }
}

const plain = { approvals: true, risk: 'medium' as const, deny: [], allow: [], reason: undefined }
