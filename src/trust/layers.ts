import type { RuleRef } from '../domain/verdict.ts'
import type { Wildcard } from '../kit/patterns/pattern.ts'
import type { Action, Rules } from './rules.ts'
import { type Ruling, type Subject, strictest } from './subject.ts'
import { trustWords } from './words.ts'

/**
 * Asks the layers in order; the first that says something wins. The first two only ask or deny, so they are combined.
 * What the tool's rules deny stays denied, even where an earlier layer would have asked.
 */
export function rulingOn(rules: Rules, subject: Subject, own: Ruling | undefined): Ruling {
  const first = strictest([own, everywhere(rules, subject)].filter((one) => one !== undefined))
  const second = toolRules(rules, subject)
  if (first?.action !== 'deny' && second?.action === 'deny') return second
  return first ?? second ?? byEffect(rules, subject)
}

export const ruleOf = (rules: Rules, tool: string) => rules.tools.get(tool) ?? rules.tools.get('*')

export function everywhere(rules: Rules, { effect, texts, inspection }: Subject): Ruling | undefined {
  const all = [...texts, ...inspection.subjects, ...(inspection.plan?.paths ?? [])]
  const fitting = rules.everywhere.flatMap(({ pattern, effects, action, risk, reason }, place): Ruling[] => {
    if (!effects.includes(effect) || !all.some((text) => isIn(text, pattern))) return []
    return [{ rule: { layer: 'patterns everywhere', name: `everywhere[${place}]` }, action, risk, reason }]
  })
  return strictest(fitting)
}

export const inScripts = (subject: Subject): Subject => ({ ...subject, texts: subject.scripts ?? [] })

/** A text that is too long for one match is matched in overlapping pieces. */
function isIn(text: string, { expression, lineCharacters }: Rules['everywhere'][number]['pattern']): boolean {
  const overlap = Math.min(1000, Math.floor(lineCharacters / 2))
  for (let from = 0; ; from += lineCharacters - overlap) {
    if (expression.matcher(text.slice(from, from + lineCharacters)).find()) return true
    if (from + lineCharacters >= text.length) return false
  }
}

/** Tools that run programs run without asking only for commands in the small language, and what comes with Bobbin. */
const isReadForSure = ({ programs, inspection }: Subject): boolean =>
  programs === undefined || inspection.plain !== undefined || inspection.ours === true

/** Whether the tool's rules allow this part. A command also has to be a call that only reads and prints. */
export const isAllowed = (part: string, { inspection }: Subject, allow: Wildcard[]): boolean =>
  fitsOne(part, allow) && inspection.plain?.some(({ text, isPlainUse }) => text === part && !isPlainUse) !== true

function toolRules(rules: Rules, subject: Subject): Ruling | undefined {
  const { tool, inspection } = subject
  const rule = ruleOf(rules, tool)
  if (rule === undefined) return undefined
  const name = `tools.${rules.tools.has(tool) ? tool : '*'}`
  const ruling = (part: string, action: Action, reason: string): Ruling => ({
    rule: { layer: 'the tool’s rules', name: `${name}.${part}` },
    action,
    risk: rule.risk,
    reason,
  })
  const { subjects, unclear, plain = [] } = inspection
  if (subjects.some((subject) => rule.deny.some((pattern) => pattern.mayFit(subject))))
    return ruling('deny', 'deny', rule.reason ?? trustWords.ruleForbids({ tool }))
  // Every part, both as the tool split it and as the small language reads it.
  const parts = [...subjects, ...plain.map(({ text }) => text)]
  const isFitting = unclear.length === 0 && subjects.length > 0 && parts.every((part) => fitsOne(part, rule.allow))
  if (isFitting && isReadForSure(subject) && plain.every(({ isPlainUse }) => isPlainUse))
    return ruling('allow', 'allow', trustWords.rulesAllow({ tool }))
  if (rule.mode === 'auto' && !isReadForSure(subject)) return ruling('mode', 'require_approval', trustWords.notPlain())
  if (rule.mode === 'auto') return ruling('mode', 'allow', trustWords.allowedByMode({ tool }))
  if (rule.mode === 'confirm') {
    const reason = isFitting ? trustWords.notPlain() : (rule.reason ?? trustWords.mustBeApproved({ tool }))
    return ruling('mode', 'require_approval', reason)
  }
  return undefined
}

function byEffect(rules: Rules, subject: Subject): Ruling {
  const { tool, effect } = subject
  const rule: RuleRef = { layer: 'effect', name: `defaults.${effect}` }
  const action = rules.defaults[effect]
  if (action === 'allow' && !isReadForSure(subject))
    return { rule, action: 'require_approval', risk: 'medium', reason: trustWords.notPlain() }
  return { rule, action, risk: 'medium', reason: trustWords.byEffect({ tool, effect }) }
}

export const fitsOne = (text: string, patterns: Wildcard[]): boolean => patterns.some((pattern) => pattern.fits(text))
