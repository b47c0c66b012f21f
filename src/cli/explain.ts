import { closedWords } from '../domain/grant.ts'
import type { Inspection } from '../domain/inspection.ts'
import type { Tool } from '../domain/tool.ts'
import type { Verdict } from '../domain/verdict.ts'
import { deciderNamed, describe, describeDecider } from '../trust/deciders.ts'
import type { Rules } from '../trust/rules.ts'
import { examineCall, runsNothing } from './examine-call.ts'
import { cliWords } from './words.ts'

/** What the policy says of a call that a thread might make, as lines for a terminal. */
export function explain(tool: Tool, input: never, rules: Rules, isUntrusted: boolean): string[] {
  if (tool.kind !== 'run') return [runsNothing(tool)]
  const { verdict, inspection, uploaded } = examineCall(tool, input, rules, isUntrusted)
  return [
    ...verdictLines(verdict, rules),
    '',
    ...seenLines(tool, inspection),
    '',
    ...assumptions(tool, rules, { isUntrusted, uploaded, runs: inspection.runs ?? [] }),
  ].map(printable)
}

const words: Record<Verdict['kind'], string> = {
  allow: 'ALLOW: it runs without asking.',
  ask: 'ASK: a person decides first.',
  deny: 'DENY: nobody can approve it.',
}

function verdictLines(verdict: Verdict, rules: Rules): string[] {
  const lines = [
    words[verdict.kind],
    `Decided by: ${verdict.rule.layer}, ${verdict.rule.name} in hitl_rules.yaml`,
    `Reason: ${verdict.reason}`,
    `Risk: ${verdict.risk}`,
  ]
  if (verdict.kind === 'deny') return lines
  const reach =
    verdict.hosts.length > 0 && !(verdict.kind === 'allow' && verdict.closed)
      ? [cliWords.couldReach({ hosts: verdict.hosts.join(', ') })]
      : []
  if (verdict.kind === 'allow') return [...lines, ...reach, ...(verdict.closed ? [cliWords.runsClosed()] : [])]
  return [...lines, ...reach, `Who decides: ${whoDecides(rules, verdict.decider)}`, ...alwaysLines(verdict)]
}

function whoDecides(rules: Rules, name: string): string {
  const decider = deciderNamed(rules, name)
  const next = decider.next && `after ${seconds(decider.next.after_ms)} ${decider.next.decider} instead`
  const end = decider.deny_ms === undefined ? undefined : `after ${seconds(decider.deny_ms)} it is denied`
  return [`${describeDecider(decider)} (${name})`, next, end].filter((part) => part !== undefined).join('; ')
}

const seconds = (ms: number): string => `${ms / 1000} s`

function alwaysLines({ grants }: Extract<Verdict, { kind: 'ask' }>): string[] {
  if (grants === undefined) return ['“Always” isn’t offered: this can only be approved once.']
  const { exact, wide, closed, untrusted } = grants
  const wider = closed ? `in this thread, until tomorrow: ${closedWords}` : `for whatever fits: ${wide?.join(' and ')}`
  return [
    ...(exact.length > 0 ? [`“Always” can hold for exactly this call: ${exact.join(' and ')}`] : []),
    ...(wide ? [`“Always” can hold ${exact.length > 0 ? 'wider, ' : ''}${wider}`] : []),
    ...(untrusted ? ['… also while untrusted content is in the thread'] : []),
  ]
}

function seenLines(
  { name, effect }: Tool,
  { subjects, unclear, unseen = [], plan, hosts = [], runs = [] }: Inspection,
): string[] {
  const listed = (title: string, all: string[]) =>
    all.length === 0 ? [] : [`${title}:`, ...all.map((one) => `  ${one}`)]
  const programs = plan?.invocations.map(({ program, text }) => `${program || '(unknown)'}: ${text}`) ?? []
  const code = plan?.invocations.flatMap(({ code }) => code.map(({ language }) => `${language} code in it`)) ?? []
  return [
    cliWords.callSeenAs({ name, effect }),
    ...listed(cliWords.subjectsTitle(), subjects),
    ...listed('Programs', [...programs, ...code]),
    ...listed(
      'Writes to',
      plan?.redirections.map(({ operator, target }) => `${operator} ${target ?? '(computed)'}`) ?? [],
    ),
    ...listed(cliWords.filesRuns(), runs),
    ...listed('Hosts', [...new Set([...hosts, ...(plan?.hosts ?? [])])]),
    ...listed('Unclear', [...unclear, ...unseen]),
  ]
}

/** What depends on the thread isn't known here. */
function assumptions(
  { name, runsPrograms }: Tool,
  rules: Rules,
  { isUntrusted, uploaded, runs }: { isUntrusted: boolean; uploaded: string | undefined; runs: string[] },
): string[] {
  const use = rules.use.filter(({ tools }) => tools.includes(name) || tools.includes('*'))
  const limits = use.map(({ people, channels, tenants }) =>
    [
      people && `people: ${describe(people)}`,
      channels && `channels: ${channels.join(', ')}`,
      tenants && `tenants: ${tenants.join(', ')}`,
    ]
      .filter((part) => part !== undefined)
      .join('; '),
  )
  return [
    isUntrusted ? cliWords.assumedUntrusted() : cliWords.assumedTrusted(),
    ...(uploaded === undefined ? [] : [cliWords.assumedUploaded({ file: uploaded })]),
    ...(runsPrograms ? [cliWords.assumedSandbox()] : []),
    ...(runs.length === 0 ? [] : [cliWords.filesNotRead()]),
    ...limits.map((limit) => cliWords.useLimited({ limit })),
  ]
}

/** Arguments may contain terminal control characters. */
const printable = (line: string): string => line.replace(/\p{C}/gu, '\ufffd')
