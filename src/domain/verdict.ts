import type { Risk } from './question.ts'

/** What the policy says of a call. */
export type Verdict = { kind: 'allow' } | { kind: 'ask'; reason: string; risk: Risk } | { kind: 'deny'; reason: string }
