import type { Risk } from '../domain/question.ts'
import type { Effect } from '../domain/tool.ts'
import type { Verdict } from '../domain/verdict.ts'

type Action = 'allow' | 'require_approval' | 'deny'

/** `config/hitl_rules.yaml`. */
export interface Rules {
  rules: { tools: string[]; uploaded?: boolean; action: Action; risk: Risk; reason: string }[]
  defaults: Record<Effect, Action>
}

/** What the policy looks at. */
export interface Subject {
  tool: string
  effect: Effect
  /** True when the call touches a file that a person uploaded. */
  uploaded: boolean
}

/** Whether a call may run, must be asked, or is forbidden. The first rule that fits decides, else the effect's default. */
export function decide(rules: Rules, subject: Subject): Verdict {
  const rule = rules.rules.find(
    ({ tools, uploaded }) =>
      (tools.includes(subject.tool) || tools.includes('*')) &&
      (uploaded === undefined || uploaded === subject.uploaded),
  )
  if (rule !== undefined) return verdict(rule.action, rule.reason, rule.risk)
  const what = { read: 'reads', write: 'writes', external: 'acts outside of this thread' }[subject.effect]
  return verdict(rules.defaults[subject.effect], `${subject.tool} ${what}.`, 'medium')
}

function verdict(action: Action, reason: string, risk: Risk): Verdict {
  if (action === 'allow') return { kind: 'allow' }
  return action === 'deny' ? { kind: 'deny', reason } : { kind: 'ask', reason, risk }
}
