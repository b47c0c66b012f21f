import { isOfClosed } from '../domain/grant.ts'
import type { Need } from '../domain/inspection.ts'
import type { Risk } from '../domain/question.ts'
import type { RuleRef, Verdict } from '../domain/verdict.ts'
import { listed } from '../kit/words/list.ts'
import { deciderFor } from './deciders.ts'
import { everywhere, inScripts, ruleOf, rulingOn } from './layers.ts'
import { coveredBy, offerFor } from './offer-grant.ts'
import { ownCheck } from './own-check.ts'
import type { Rules } from './rules.ts'
import { isAtLeast, type Ruling, type Subject } from './subject.ts'
import { trustWords } from './words.ts'
import { writtenRule } from './written.ts'

/**
 * Whether a call may run, needs approval, or is forbidden, and by which rule. The same rules and subject always give
 * the same verdict, so it can be checked again before the call runs.
 */
export function decide(rules: Rules, subject: Subject): Verdict {
  if (subject.barred !== undefined) {
    const rule: RuleRef = { layer: 'who may use it', name: 'use' }
    return { kind: 'deny', rule, reason: subject.barred, risk: 'high' }
  }
  const own = ownCheck(rules, subject)
  const hosts = own?.hosts ?? []
  const ruling = rulingOn(rules, subject, own)
  if (ruling.action === 'deny') return { kind: 'deny', ...pick(ruling) }
  // Nobody should have to approve what can't run.
  if (wantsNoHost(rules, subject, hosts))
    return { kind: 'deny', rule: byNeeds, reason: trustWords.networkWithoutHosts(), risk: 'medium' }
  const causes = whatAsks(rules, subject, ruling, hosts)
  if (causes.untrusted?.action === 'deny') return { kind: 'deny', ...pick(causes.untrusted) }
  if (causes.isAsked) return grantedOrAsked(rules, subject, ruling, causes, hosts)
  const reason = whyOpen(rules, subject.tool, ruling)
  return { kind: 'allow', ...pick(ruling), reason, hosts, closed: isContained(subject), grants: [] }
}

/** The reasons to ask; a missing one isn't a reason. */
interface Causes {
  ruling: Ruling | undefined
  wanting: Ruling | undefined
  untrusted: Ruling | undefined
  isAsked: boolean
}

function whatAsks(rules: Rules, subject: Subject, ruling: Ruling, hosts: string[]): Causes {
  const { tool, programs, sends, untrusted: source } = subject
  const contained = isContained(subject)
  const isEver = isEverAsked(rules, tool)
  const isAskedByRule =
    programs === 'uncontained' || (ruling.action === 'require_approval' && asks(rules, tool, ruling.risk))
  const wanting = contained ? wants(subject) : undefined
  const isAsked = isAskedByRule || (wanting !== undefined && isEver)
  // The closed sandbox can't send anything out.
  const carriesOut = (isAsked || !contained) && (sends || hosts.length > 0) && source !== undefined
  const told = carriesOut && rules.untrusted.action !== 'allow' ? untrusted(rules, subject) : undefined
  return {
    ruling: isAskedByRule ? ruling : undefined,
    wanting,
    untrusted: told,
    isAsked: isAsked || (told !== undefined && isEver),
  }
}

function grantedOrAsked(rules: Rules, subject: Subject, ruling: Ruling, causes: Causes, hosts: string[]): Verdict {
  const isUntrusted = causes.untrusted !== undefined
  const isHeld = isContained(subject) && causes.wanting === undefined && isHeldClosed(rules, subject)
  const written = isHeld ? (writtenRule(rules, subject) ?? everywhere(rules, inScripts(subject))) : undefined
  const all = [causes.ruling, causes.wanting, causes.untrusted].filter((one) => one !== undefined)
  const asked = all[0] ?? ruling
  const offer = offerFor(rules, subject, asked, isUntrusted, isHeld && written === undefined)
  const used = offer && coveredBy(rules, subject, asked.risk, isUntrusted, offer)
  if (used !== undefined) {
    const rule: RuleRef = { layer: 'a grant', name: used.ids.join(', ') }
    const reason = trustWords.coveredByGrant()
    return { kind: 'allow', rule, reason, risk: asked.risk, hosts, closed: used.closed, grants: used.ids }
  }
  const decider = deciderFor(rules, subject.tool, asked.risk)
  const isOutside = written !== undefined && subject.grants.some(isOfClosed)
  const beyond = isOutside ? trustWords.grantTooNarrow({ reason: written.reason }) : undefined
  const reason = [...all.map((one) => one.reason), beyond].filter((one) => one !== undefined).join(' ')
  return { kind: 'ask', rule: asked.rule, reason, risk: asked.risk, hosts, decider, grants: offer }
}

const isContained = ({ programs }: Subject): boolean => programs === 'contained'

const pick = ({ rule, reason, risk }: Ruling) => ({ rule, reason, risk })

/** Why a call that a rule would ask about runs without asking. */
function whyOpen(rules: Rules, tool: string, { action, reason, risk }: Ruling): string {
  if (action === 'allow') return reason
  if (!rules.approvals) return trustWords.approvalsOff({ reason })
  if (!isEverAsked(rules, tool)) return trustWords.toolNeverAsks({ tool, reason })
  return trustWords.riskBelowApproval({ risk, ask_from: rules.ask_from, reason })
}

const isEverAsked = (rules: Rules, tool: string): boolean => rules.approvals && ruleOf(rules, tool)?.approvals !== false

const asks = (rules: Rules, tool: string, risk: Risk): boolean =>
  isEverAsked(rules, tool) && isAtLeast(risk, rules.ask_from)

function untrusted(rules: Rules, { untrusted: source }: Subject): Ruling {
  const reason = trustWords.mayLeakUntrusted({ source: source ?? '?' })
  const rule: RuleRef = { layer: 'untrusted content', name: 'untrusted' }
  return { rule, action: rules.untrusted.action, risk: 'medium', reason }
}

/**
 * Whether approval is asked only because of a mode, a default or an unclear effect, all of which the closed sandbox
 * contains.
 */
function isHeldClosed(rules: Rules, subject: Subject): boolean {
  const known = { ...subject, inspection: { ...subject.inspection, unclear: [], unseen: [] } }
  const { action, rule } = rulingOn(rules, known, ownCheck(rules, known))
  return (
    action === 'allow' || rule.layer === 'effect' || (rule.layer === 'the tool’s rules' && /\.mode$/.test(rule.name))
  )
}

const byNeeds: RuleRef = { layer: 'the tool’s own check', name: 'needs' }

/** Whether it wants network that an approval wouldn't give it either. */
const wantsNoHost = (rules: Rules, subject: Subject, hosts: string[]): boolean =>
  isContained(subject) &&
  isEverAsked(rules, subject.tool) &&
  hosts.length === 0 &&
  subject.inspection.needs?.includes('network') === true

/** What the call says it needs that the closed sandbox doesn't offer. */
function wants({ inspection: { needs = [] } }: Subject): Ruling | undefined {
  if (needs.length === 0) return undefined
  const what: Record<Need, string> = {
    uploads: trustWords.uploadsNeeded(),
    limits: trustWords.limitsNeeded(),
    network: trustWords.networkNeeded(),
  }
  const reason = trustWords.beyondClosedSandbox({ needs: listed(needs.map((need) => what[need])) })
  return { rule: byNeeds, action: 'require_approval', risk: 'medium', reason }
}
