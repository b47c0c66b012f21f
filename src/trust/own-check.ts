import type { Inspection } from '../domain/inspection.ts'
import type { RuleRef } from '../domain/verdict.ts'
import { namesOfHost } from '../kit/net/host.ts'
import type { Invocation } from '../kit/shell/plan-types.ts'
import { ruleOf } from './layers.ts'
import type { CommandRule, Rules } from './rules.ts'
import { isAtLeast, type Ruling, type Subject, strictest } from './subject.ts'
import { trustWords } from './words.ts'

/** The tool's own check of the parts of a call. The strictest match wins. */
export function ownCheck(rules: Rules, subject: Subject): (Ruling & { hosts: string[] }) | undefined {
  const { inspection } = subject
  const commands = fittingCommands(rules, inspection)
  const hosts = hostsFor(rules, inspection)
  const all = [
    ...commands.map(({ rule, place }) => {
      const lacks = subject.programs === 'contained' && rule.hosts?.length === 0 && hosts.length === 0
      return ruling(
        `commands[${place}]`,
        lacks ? { ...rule, reason: `${rule.reason} ${trustWords.noNetwork()}` } : rule,
      )
    }),
    ...(inspection.unclear.length > 0 ? [ruling('unclear', unclearRule(rules, subject))] : []),
    ...(inspection.unseen?.length ? [ruling('unclear', unseenRule(rules, inspection.unseen))] : []),
    ...rules.addresses.flatMap((rule, place) =>
      (inspection.hosts ?? []).flatMap(namesOfHost).some((host) => rule.hosts.some((pattern) => pattern.mayFit(host)))
        ? [ruling(`addresses[${place}]`, rule)]
        : [],
    ),
    ...(subject.uploaded && subject.effect !== 'read' && rules.uploads.action !== 'allow'
      ? [ruling('uploads', rules.uploads)]
      : []),
  ]
  const worst = strictest(all)
  return worst && { ...worst, hosts }
}

/** The hosts a call may reach once it is allowed. */
export const hostsFor = (rules: Rules, inspection: Inspection): string[] =>
  [...new Set(fittingCommands(rules, inspection).flatMap(({ rule }) => rule.hosts ?? []))].sort()

const ruling = (name: string, rule: Pick<Ruling, 'action' | 'risk' | 'reason'>): Ruling => {
  const ref: RuleRef = { layer: 'the tool’s own check', name }
  return { rule: ref, action: rule.action, risk: rule.risk, reason: rule.reason }
}

/** Cards list what is unclear. Only a model that is denied reads it here. */
function unclearRule(rules: Rules, { tool, programs, inspection: { unclear: why } }: Subject) {
  const { unclear } = rules
  if (unclear.action !== 'deny') {
    // Of tools that run no programs it's known what they do.
    const reason = programs === undefined ? (ruleOf(rules, tool)?.reason ?? trustWords.askedEachTime()) : unclear.reason
    return { ...unclear, reason }
  }
  const shown = why.slice(0, 3).join('; ')
  return { ...unclear, reason: `${unclear.reason.replace(/\.$/, '')}: ${shown}${why.length > 3 ? '; and more' : ''}.` }
}

/** Most programs are of this kind, so the risk is at most medium here: it only prevents a lasting grant. */
function unseenRule({ unclear }: Rules, [first = '']: string[]) {
  const risk = isAtLeast(unclear.risk, 'medium') ? 'medium' : unclear.risk
  const reason = unclear.action === 'deny' ? trustWords.partlyUnclearBecause({ first }) : trustWords.partlyUnclear()
  return { ...unclear, risk, reason }
}

function fittingCommands(rules: Rules, { plan }: Inspection) {
  if (plan === undefined) return []
  return rules.commands.flatMap((rule, place) => {
    const byWrites = rule.writes?.some((pattern) =>
      plan.redirections.some(({ target }) => target !== undefined && pattern.mayFit(target)),
    )
    if (rule.writes !== undefined && !byWrites) return []
    const isOnlyWrites = rule.programs === undefined && rule.text === undefined && rule.options.length === 0
    const fits = isOnlyWrites ? rule.writes !== undefined : plan.invocations.some((one) => fitsCommand(one, rule))
    return fits ? [{ rule, place }] : []
  })
}

function fitsCommand(invocation: Invocation, { programs, options, text }: CommandRule): boolean {
  if (programs !== undefined && !programs.some((pattern) => pattern.mayFit(invocation.program))) return false
  if (text !== undefined && !text.some((pattern) => pattern.mayFit(invocation.text))) return false
  // An unknown argument may be any option.
  if (options.length > 0 && invocation.args.includes(undefined)) return true
  const given = optionsOf(invocation)
  return options.every((names) => names.some((name) => [...given].some((one) => isShortFor(one, name))))
}

/** Programs accept abbreviated long options, such as `--rec`. */
const isShortFor = (given: string, name: string): boolean =>
  given === name || (given.length > 1 && name.startsWith(given))

/** `-rf` gives r and f, `--force=x` gives force. Nothing after `--` is an option. */
function optionsOf({ args }: Invocation): Set<string> {
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  return new Set(
    options.flatMap((arg) => {
      if (arg === undefined || !arg.startsWith('-')) return []
      if (arg.startsWith('--')) return [arg.slice(2).split('=', 1)[0] as string]
      return [...arg.slice(1)]
    }),
  )
}
