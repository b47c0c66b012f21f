import { posix } from 'node:path'
import { parse } from 'unbash'
import { strangeCharacters } from './characters.ts'
import { madeAndRun } from './makers.ts'
import type { CommandPlan } from './plan-types.ts'
import { resolve } from './resolve.ts'
import { emptyPlan, type Findings, mostFindings, type Scope, spend, tooLong, unclear } from './scope.ts'
import { walk } from './walk.ts'

const longestText = 32_768
const deepestParentheses = 200
const deepestScripts = 8
const mostWrapped = 30
const mostSteps = 150_000
/** Openings times characters: up to 3 ns each, as measured. */
const mostLookedFor = 16_000_000

/**
 * For each thing that opens, the parser may search the rest of the text for its end, and again for each one around it.
 * Quotes are ignored here: what closes inside them would make a text seem less deep than it is.
 */
function isTooMuch(text: string): boolean {
  const openings = text.match(/\(|`|<<|\$\{|[\w$]\[/g)?.length ?? 0
  return openings * text.length > mostLookedFor
}

/** The parser recurses with each parenthesis. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth = Math.max(0, depth - 1)
    if (depth > deepestParentheses) return true
  }
  return false
}

function readScript(text: string, scope: Scope, input: Parameters<Scope['script']>[1]) {
  if (!spend(scope, text.length >> 2)) return
  if (scope.depth > deepestScripts || isTooDeep(text)) return unclear(scope, 'it is nested too deeply to follow')
  if (isTooMuch(text)) return unclear(scope, tooLong)
  for (const reason of strangeCharacters(text)) unclear(scope, reason)
  // A shell such as dash reads `$'\'; rm x #'` and `((rm))` as commands, where bash sees a string and arithmetic.
  if (scope.posix && /\$['"]|\(\(|\[\[|&>|[<>]\(|\b(?:function|select|coproc)\b/.test(text.replaceAll('$((', ''))) {
    unclear(scope, 'it is read by a shell that may not be bash, and uses what only bash knows')
  }
  walk(parse(text), scope, input)
}

const newScope = (findings: Findings): Scope => ({
  findings,
  directories: [''],
  left: [],
  depth: 0,
  posix: false,
  call(call) {
    const { findings } = this
    if (findings.wrapped >= mostWrapped) return unclear(this, 'too many programs run one another')
    findings.wrapped++
    resolve(call, this)
    findings.wrapped--
  },
  script(text, input) {
    const inner = { ...this, depth: this.depth + 1 }
    readScript(text, inner, input)
    this.directories = inner.directories
    this.left = inner.left
  },
})

/**
 * What a bash command line would do, as far as that is known without running it. It never throws, and is quick for any
 * text; what it can't follow is in `unclear`.
 */
export function planOf(command: string): CommandPlan {
  if (command.length > longestText) return emptyPlan([`it is longer than ${longestText} characters`])
  const findings: Findings = {
    plan: emptyPlan([]),
    unclear: new Set(),
    budget: mostSteps,
    wrapped: 0,
    unsure: new Set(),
    computed: new Set(),
    subscripted: new Set(),
    split: new Set(),
    arrays: new Set(['DIRSTACK']),
    declared: new Set(),
  }
  const scope = newScope(findings)
  try {
    readScript(command, scope, { kind: 'unseen' })
  } catch (thrown) {
    // The parser recurses without limit in a few places. Everything else is a bug.
    if (!(thrown instanceof RangeError)) throw thrown
    unclear(scope, 'it is nested too deeply to follow')
  }
  for (const name of findings.computed) {
    if (findings.unsure.has(name)) unclear(scope, `arithmetic with ${name} may run what its value holds`)
  }
  for (const name of findings.split) {
    if (findings.subscripted.has(name)) unclear(scope, `arithmetic with ${name} may run what its value holds`)
  }
  for (const name of findings.declared) {
    if (findings.arrays.has(name)) unclear(scope, `the value of ${name} is expanded again, because it is an array`)
  }
  rewritten(scope)
  for (const reason of madeAndRun(findings.plan)) unclear(scope, reason)
  return finished(findings)
}

const writers = new Set('curl wget tee cp mv ln install scp rsync dd patch truncate unzip'.split(' '))

const nameOf = (path: string): string => posix.basename(path.replace(/^of=/, ''))

/**
 * What the command itself writes doesn't exist yet when it is inspected. A name is enough: it may be written from
 * another folder, or be a folder or link on the way.
 */
function rewritten(scope: Scope) {
  const { runs, left, redirections, invocations } = scope.findings.plan
  const written = new Set<string>()
  for (const { operator, target } of redirections)
    if (target !== undefined && operator !== '<') written.add(nameOf(target))
  for (const { program, args } of invocations) {
    const inPlace = args.some((value) => /^(?:-[A-Za-z0-9]*i|--in-place)/.test(value ?? ''))
    if (writers.has(program) || (inPlace && /^(?:g?sed|perl|ruby)$/.test(program)))
      for (const value of args) if (value !== undefined) written.add(nameOf(value))
  }
  for (const file of [...runs, ...left]) {
    if (file.split('/').some((name) => written.has(name)))
      unclear(scope, `${file} is written and run by the same command`)
  }
}

function finished({ plan, unclear, budget }: Findings): CommandPlan {
  const lists = [plan.invocations, plan.redirections, plan.runs, plan.left, plan.paths, plan.hosts]
  if (budget < 0 || lists.some(({ length }) => length > mostFindings)) return emptyPlan([tooLong])
  return {
    ...plan,
    runs: [...new Set(plan.runs)],
    left: [...new Set(plan.left)],
    paths: [...new Set(plan.paths)],
    hosts: [...new Set(plan.hosts)],
    unclear: [...unclear],
  }
}
