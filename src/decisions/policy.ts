import { callBinding, closedWords, type GrantOffer, type GrantScope, grantScopes, isOfClosed } from '../domain/grant.ts'
import type { GrantId } from '../domain/ids.ts'
import type { Need } from '../domain/inspection.ts'
import { compileWildcard, exactly, type Wildcard } from '../domain/pattern.ts'
import type { Risk } from '../domain/question.ts'
import type { RuleRef, Verdict } from '../domain/verdict.ts'
import { deciderNamed } from './deciders.ts'
import { ownCheck } from './own-check.ts'
import type { Action, Decider, Rules } from './rules.ts'
import { isAtLeast, type Judged, type Subject, strictest } from './subject.ts'
import { writtenRule } from './written.ts'

/**
 * Whether a call may run, must be asked, or is forbidden, and which rule says so. Pure: the same rules and subject give the
 * same verdict, before a person is asked and again before the call runs.
 */
export function decide(rules: Rules, subject: Subject): Verdict {
  if (subject.barred !== undefined) {
    const rule: RuleRef = { layer: 'who may use it', name: 'use' }
    return { kind: 'deny', rule, reason: subject.barred, risk: 'high' }
  }
  const own = ownCheck(rules, subject)
  const hosts = own?.hosts ?? []
  const judged = judge(rules, subject, own)
  if (judged.action === 'deny') return { kind: 'deny', ...pick(judged) }

  const contained = subject.programs === 'contained'
  const wanting = contained ? wants(subject, hosts) : undefined
  const isJudged =
    subject.programs === 'uncontained' ||
    (judged.action === 'require_approval' && asks(rules, subject.tool, judged.risk))
  const isAsked = isJudged || (wanting !== undefined && isEverAsked(rules, subject.tool))
  const open: Verdict = {
    kind: 'allow',
    ...pick(judged),
    reason: whyOpen(rules, subject.tool, judged),
    hosts,
    closed: contained,
    grants: [],
  }
  // Nothing can be sent out from the closed sandbox.
  const carriesOut = (isAsked || !contained) && (subject.sends || hosts.length > 0) && subject.untrusted !== undefined
  const told = carriesOut && rules.untrusted.action !== 'allow' ? untrusted(rules, subject) : undefined
  if (told?.action === 'deny') return { kind: 'deny', ...pick(told) }
  if (!isAsked && (told === undefined || !isEverAsked(rules, subject.tool))) return open

  const isHeld = contained && wanting === undefined && isHeldClosed(rules, subject)
  const written = isHeld ? (writtenRule(rules, subject) ?? everywhere(rules, inScripts(subject))) : undefined
  const isOutside = written !== undefined && subject.grants.some(isOfClosed)
  const all = [isJudged ? judged : undefined, wanting, told].filter((one) => one !== undefined)
  const asked = all[0] ?? judged
  const offer = offerFor(rules, subject, asked, told !== undefined, isHeld && written === undefined)
  const used = offer && coveredBy(rules, subject, asked.risk, told !== undefined, offer)
  if (used !== undefined) {
    const rule: RuleRef = { layer: 'a grant', name: used.ids.join(', ') }
    return {
      kind: 'allow',
      rule,
      reason: 'A person has allowed calls like this.',
      risk: asked.risk,
      hosts,
      closed: used.closed,
      grants: used.ids,
    }
  }
  const decider = deciderFor(rules, subject.tool, asked.risk)
  const beyond = isOutside ? `No grant covers it, since it may run what a rule asks: ${written.reason}` : undefined
  const reason = [...all.map((one) => one.reason), beyond].filter((one) => one !== undefined).join(' ')
  return { kind: 'ask', rule: asked.rule, reason, risk: asked.risk, hosts, decider, grants: offer }
}

/**
 * The layers in order, the first that says something; the first two only ever ask or deny, so they speak together. What the
 * tool's rules deny is denied whoever would have asked before.
 */
function judge(rules: Rules, subject: Subject, own: Judged | undefined): Judged {
  const first = strictest([own, everywhere(rules, subject)].filter((one) => one !== undefined))
  const second = toolRules(rules, subject)
  if (first?.action !== 'deny' && second?.action === 'deny') return second
  return first ?? second ?? byEffect(rules, subject)
}

const pick = ({ rule, reason, risk }: Judged) => ({ rule, reason, risk })

/** Why something is not asked that a rule would ask. */
function whyOpen(rules: Rules, tool: string, { action, reason, risk }: Judged): string {
  if (action === 'allow') return reason
  if (!rules.approvals) return `Approvals are off (approvals: false). ${reason}`
  if (!isEverAsked(rules, tool)) return `Approvals are off for ${tool} (tools.${tool}.approvals: false). ${reason}`
  return `Its risk, ${risk}, is below ask_from. ${reason}`
}

const ruleOf = (rules: Rules, tool: string) => rules.tools.get(tool) ?? rules.tools.get('*')

const isEverAsked = (rules: Rules, tool: string): boolean => rules.approvals && ruleOf(rules, tool)?.approvals !== false

const asks = (rules: Rules, tool: string, risk: Risk): boolean =>
  isEverAsked(rules, tool) && isAtLeast(risk, rules.ask_from)

export const deciderFor = (rules: Rules, tool: string, risk: Risk): string =>
  ruleOf(rules, tool)?.decider ?? rules.decide[risk]

function everywhere(rules: Rules, { effect, texts, inspection }: Subject): Judged | undefined {
  const all = [...texts, ...inspection.subjects, ...(inspection.plan?.paths ?? [])]
  const fitting = rules.everywhere.flatMap(({ pattern, effects, action, risk, reason }, place): Judged[] => {
    if (!effects.includes(effect) || !all.some((text) => isIn(text, pattern))) return []
    return [{ rule: { layer: 'patterns everywhere', name: `everywhere[${place}]` }, action, risk, reason }]
  })
  return strictest(fitting)
}

const inScripts = (subject: Subject): Subject => ({ ...subject, texts: subject.scripts ?? [] })

/** A text that is too long to be looked at whole is looked at in pieces that overlap. */
function isIn(text: string, { expression, lineCharacters }: Rules['everywhere'][number]['pattern']): boolean {
  const overlap = Math.min(1000, Math.floor(lineCharacters / 2))
  for (let from = 0; ; from += lineCharacters - overlap) {
    if (expression.matcher(text.slice(from, from + lineCharacters)).find()) return true
    if (from + lineCharacters >= text.length) return false
  }
}

/** Of the tools that run programs, only a line in the small language runs without asking. */
const isReadForSure = ({ programs, inspection }: Subject): boolean =>
  programs === undefined || inspection.plain !== undefined

/** What a tool's rules allow; of a command, only where the program is called so that it just reads and prints. */
const isAllowed = (part: string, { inspection }: Subject, allow: Wildcard[]): boolean =>
  fitsOne(part, allow) && inspection.plain?.some(({ text, isPlainUse }) => text === part && !isPlainUse) !== true

/** Every part of it, as its tool took it apart; of a command also as the small language reads it. */
const isLetThrough = (subject: Subject, allow: Wildcard[]): boolean => {
  const { subjects, plain = [] } = subject.inspection
  return (
    isReadForSure(subject) &&
    [...subjects, ...plain.map(({ text }) => text)].every((part) => isAllowed(part, subject, allow))
  )
}

const notPlain = 'It is more than a plain command.'

function toolRules(rules: Rules, subject: Subject): Judged | undefined {
  const { tool, inspection } = subject
  const rule = ruleOf(rules, tool)
  if (rule === undefined) return undefined
  const name = `tools.${rules.tools.has(tool) ? tool : '*'}`
  const judged = (part: string, action: Action, reason: string): Judged => ({
    rule: { layer: 'the tool’s rules', name: `${name}.${part}` },
    action,
    risk: rule.risk,
    reason,
  })
  const { subjects, unclear } = inspection
  if (subjects.some((subject) => rule.deny.some((pattern) => pattern.mayFit(subject))))
    return judged('deny', 'deny', rule.reason ?? `A rule forbids this to ${tool}.`)
  if (unclear.length === 0 && subjects.length > 0 && isLetThrough(subject, rule.allow))
    return judged('allow', 'allow', `It fits what ${tool} may do without being asked.`)
  if (rule.mode === 'auto' && !isReadForSure(subject)) return judged('mode', 'require_approval', notPlain)
  if (rule.mode === 'auto') return judged('mode', 'allow', `${tool} is not asked.`)
  if (rule.mode === 'confirm') return judged('mode', 'require_approval', rule.reason ?? `${tool} is always asked.`)
  return undefined
}

function byEffect(rules: Rules, subject: Subject): Judged {
  const { tool, effect } = subject
  const what = { read: 'reads', write: 'writes', external: 'acts outside of this thread' }[effect]
  const rule: RuleRef = { layer: 'effect', name: `defaults.${effect}` }
  const action = rules.defaults[effect]
  if (action === 'allow' && !isReadForSure(subject))
    return { rule, action: 'require_approval', risk: 'medium', reason: notPlain }
  return { rule, action, risk: 'medium', reason: `${tool} ${what}.` }
}

function untrusted(rules: Rules, { untrusted: source }: Subject): Judged {
  const reason = `It can send something out, and ${source} is in this thread: somebody else’s words may be behind it.`
  const rule: RuleRef = { layer: 'untrusted content', name: 'untrusted' }
  return { rule, action: rules.untrusted.action, risk: 'medium', reason }
}

const fitsOne = (text: string, patterns: Wildcard[]): boolean => patterns.some((pattern) => pattern.fits(text))

/**
 * One person's to decide, and not of critical risk. Exactly this call only where it is understood and stays what it is; more
 * than this one call only where every part of it has a pattern, or is allowed anyway, and the risk is not high. Programs have
 * no patterns: what a program does is in none of its words. Theirs is whatever runs in the closed sandbox.
 */
function offerFor(
  rules: Rules,
  subject: Subject,
  asked: Judged,
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
  return { exact, ...(wide && { wide }), ...(isHeld && { closed: true }), scopes, untrusted: isUntrusted }
}

function widerThan(rules: Rules, { tool, programs, inspection }: Subject, risk: Risk): string[] | undefined {
  const wide = [...new Set(inspection.wider)]
  if (programs !== undefined || wide.length === 0 || isAtLeast(risk, 'high')) return undefined
  const patterns = [...wide.map(compileWildcard), ...(ruleOf(rules, tool)?.allow ?? [])]
  return inspection.subjects.every((one) => fitsOne(one, patterns)) ? wide : undefined
}

/** Whether it is only asked because of a mode, a default or because its effect is unclear: the closed sandbox contains all of these. */
function isHeldClosed(rules: Rules, subject: Subject): boolean {
  const known = { ...subject, inspection: { ...subject.inspection, unclear: [], unseen: [] } }
  const { action, rule } = judge(rules, known, ownCheck(rules, known))
  return (
    action === 'allow' || rule.layer === 'effect' || (rule.layer === 'the tool’s rules' && /\.mode$/.test(rule.name))
  )
}

/** What the call says that it needs, beyond what the closed sandbox has. */
function wants({ inspection: { needs = [] } }: Subject, hosts: string[]): Judged | undefined {
  if (needs.length === 0) return undefined
  const what: Record<Need, string> = {
    uploads: 'to write to uploads/',
    limits: 'more time or memory',
    network: hosts.length > 0 ? 'the network' : 'the network (but no rule names a host, so it won’t get any)',
  }
  const reason = `It needs ${needs.map((need) => what[need]).join(' and ')}, which the closed sandbox doesn’t allow.`
  return { rule: { layer: 'the tool’s own check', name: 'needs' }, action: 'require_approval', risk: 'medium', reason }
}

/** Who takes part in a thread decides for it; for more than that, the rules name somebody. */
const scopesOf = ({ who }: Decider): GrantScope[] =>
  who.some((word) => /^(user|group):/.test(word)) ? [...grantScopes] : ['thread']

interface Covered {
  ids: GrantId[]
  closed: boolean
}

/**
 * The grants that let a call through: one of exactly this call, or several that together cover every part of it. What is of
 * high risk must have been granted exactly as it is: who granted something wider has not seen it.
 */
function coveredBy(
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
