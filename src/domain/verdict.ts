import type { GrantOffer } from './grant.ts'
import type { GrantId } from './ids.ts'
import type { Risk } from './question.ts'

/** Which rule decided: its layer, and its place in `config/hitl_rules.yaml`. */
export interface RuleRef {
  layer:
    | 'who may use it'
    | 'the tool’s own check'
    | 'patterns everywhere'
    | 'the tool’s rules'
    | 'effect'
    | 'untrusted content'
    | 'a grant'
  /** Such as `commands[3]`, or the id of a grant. */
  name: string
}

interface Reasoned {
  rule: RuleRef
  /** A sentence for people. */
  reason: string
  risk: Risk
}

/** What the policy says of a call. */
export type Verdict =
  | (Reasoned & {
      kind: 'allow'
      hosts: string[]
      /** The grants that allow it. */
      grants: GrantId[]
      /** Nobody approved exactly this call: it runs in the closed sandbox and reaches no host. */
      closed: boolean
    })
  | (Reasoned & {
      kind: 'ask'
      hosts: string[]
      /** The name of who decides, in `deciders`. */
      decider: string
      /** What "always" would allow; undefined when it can only be approved once. */
      grants: GrantOffer | undefined
    })
  | (Reasoned & { kind: 'deny' })
