import { callBinding, closedWords, type GrantOffer, type GrantScope, grantScopes, isOfClosed } from '../domain/grant.ts'
import type { GrantId } from '../domain/ids.ts'
import type { Risk } from '../domain/question.ts'
import { compileWildcard, exactly } from '../kit/patterns/pattern.ts'
import { deciderFor, deciderNamed } from './deciders.ts'
import { fitsOne, isAllowed, ruleOf } from './layers.ts'
import type { Decider, Rules } from './rules.ts'
import { isAtLeast, type Ruling, type Subject } from './subject.ts'

/**
 * What "always" may offer. Nothing for critical risk or for several deciders. This exact call, if it is fully
 * understood and can't change. More than that, only if every part has a pattern or is allowed anyway, and the risk
 * isn't high. Programs get no patterns, because their words don't tell what they do; for them it is whatever runs in
 * the closed sandbox.
 */
export function offerFor(
  rules: Rules,
  subject: Subject,
  asked: Ruling,
  isUntrusted: boolean,
  isHeld: boolean,
): GrantOffer | undefined {
  const { subjects, unclear, unseen = [], settled = true, whole } = subject.inspection
  const decider = deciderNamed(rules, deciderFor(rules, subject.tool, asked.risk))
  if (decider.needed > 1 || asked.risk === 'critical') return undefined
  const isKnown = settled && unclear.length === 0 && unseen.length === 0 && subjects.length > 0
  const exact = isKnown ? (whole === undefined ? [...new Set(subjects)] : [whole]).map(exactly) : []
  const wide = isHeld ? [closedWords] : isKnown ? widerThan(rules, subject, asked.risk) : undefined
  if (exact.length === 0 && wide === undefined) return undefined
  const scopes: GrantScope[] = exact.length === 0 && isHeld ? ['thread'] : scopesOf(decider)
  // Otherwise the first result of what it allows would end it.
  const untrusted = isUntrusted || (subject.inspection.returns === true && wide !== undefined)
  return { exact, ...(wide && { wide }), ...(isHeld && { closed: true }), scopes, untrusted }
}

function widerThan(rules: Rules, { tool, programs, inspection }: Subject, risk: Risk): string[] | undefined {
  const wide = [...new Set(inspection.wider)]
  if (programs !== undefined || wide.length === 0 || isAtLeast(risk, 'high')) return undefined
  const patterns = [...wide.map(compileWildcard), ...(ruleOf(rules, tool)?.allow ?? [])]
  return inspection.subjects.every((one) => fitsOne(one, patterns)) ? wide : undefined
}

/** A participant decides for the thread; a wider scope needs a decider whom the rules name. */
const scopesOf = ({ who }: Decider): GrantScope[] =>
  who.some((word) => /^(user|group):/.test(word)) ? [...grantScopes] : ['thread']

interface Covered {
  ids: GrantId[]
  closed: boolean
}

/**
 * The grants that allow a call: one for exactly this call, or several that together cover every part. A high-risk call
 * needs an exact grant, because somebody who granted a pattern hasn't seen this call.
 */
export function coveredBy(
  rules: Rules,
  subject: Subject,
  risk: Risk,
  isUntrusted: boolean,
  offer: GrantOffer,
): Covered | undefined {
  const usable = subject.grants.filter(({ untrusted }) => untrusted || !isUntrusted)
  const own = usable.filter(({ tool }) => tool === subject.tool)
  const whole = offer.exact.length > 0 && own.find(({ binding }) => binding === callBinding(subject.hash))
  if (whole) return { ids: [whole.id], closed: false }
  const anyClosed = offer.closed && subject.grants.find(isOfClosed)
  if (anyClosed) return { ids: [anyClosed.id], closed: true }
  if (subject.programs !== undefined || isAtLeast(risk, 'high')) return undefined
  if (subject.inspection.wider === undefined || subject.inspection.wider.length === 0) return undefined
  const wide = own
    .filter(({ binding }) => binding === subject.binding)
    .map(({ id, patterns }) => ({ id, patterns: patterns.map(compileWildcard) }))
  const allowed = ruleOf(rules, subject.tool)?.allow ?? []
  const used = new Set<GrantId>()
  for (const part of subject.inspection.subjects) {
    const grant = wide.find(({ patterns }) => fitsOne(part, patterns))
    if (grant !== undefined) used.add(grant.id)
    else if (!isAllowed(part, subject, allowed)) return undefined
  }
  return used.size === 0 ? undefined : { ids: [...used], closed: false }
}
