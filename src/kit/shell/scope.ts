import type { CommandPlan } from './plan-types.ts'
import type { ShellWord } from './shell-word.ts'

/** What a command reads as its standard input. */
export type Input =
  | { kind: 'unseen' }
  | { kind: 'nothing' }
  | { kind: 'pipe' }
  | { kind: 'text'; text: string | undefined }
  | { kind: 'file'; path: string | undefined }

export interface Call {
  words: ShellWord[]
  assigns: { name: string; value: ShellWord }[]
  input: Input
}

/** Everything found so far in one command line; all scopes in it share this. */
export interface Findings {
  plan: CommandPlan
  unclear: Set<string>
  /** Steps left: one for each part of the tree, and for each character that nesting has noted or inspected again. */
  budget: number
  /** How many programs run the one being inspected. */
  wrapped: number
  /** Variables whose value comes from elsewhere, or isn't a number. */
  unsure: Set<string>
  /** Variables that are computed with. */
  computed: Set<string>
  /** Variables whose value may have a subscript in it, and variables that `test` may read as several words. */
  subscripted: Set<string>
  split: Set<string>
  /** Variables that may be arrays. */
  arrays: Set<string>
  /** Variables to which `declare` or the like gives a value that bash would expand again if they are arrays. */
  declared: Set<string>
}

/** Where commands are read: a subshell has its own, because `cd` ends with it. */
export interface Scope {
  findings: Findings
  /** Where a relative path may begin: '' is the start; `undefined` if it isn't known. */
  directories: string[] | undefined
  /** The directories that a failed `cd` would stay in. */
  left: string[]
  depth: number
  /** The text is read by `sh`, which may be another shell than bash. */
  posix: boolean
  /** Inspects one command, such as the one after `env`. */
  call(call: Call): void
  /** Parses and inspects a script. */
  script(text: string, input: Input): void
}

export const mostFindings = 20_000
const mostDirectories = 4
const mostMoves = 32
const longestPath = 4_096

export const emptyPlan = (unclear: string[]): CommandPlan => ({
  invocations: [],
  redirections: [],
  runs: [],
  left: [],
  moves: false,
  paths: [],
  hosts: [],
  unclear,
})

export const unclear = (scope: Scope, reason: string) => {
  if (scope.findings.unclear.size < 100) scope.findings.unclear.add(reason)
}

/** False if there aren't this many steps left. */
export function spend(scope: Scope, steps: number): boolean {
  scope.findings.budget -= steps
  if (scope.findings.budget < 0) unclear(scope, tooLong)
  return scope.findings.budget >= 0
}

export const tooLong = 'it is too long to follow'

/** A scope whose `cd` has no effect outside. */
export const subshell = (scope: Scope): Scope => ({ ...scope, left: [...scope.left] })

export function moveTo(scope: Scope, target: string | undefined) {
  const from = scope.directories
  if (from === undefined || target === undefined) {
    scope.directories = undefined
    return
  }
  scope.left = [...new Set([...scope.left, ...from])]
  scope.directories = from.map((directory) => joined(directory, target, scope))
  // Nobody writes such a line, and following it would take long.
  if (scope.left.length > mostMoves || scope.directories.some(({ length }) => length > longestPath)) {
    scope.directories = undefined
  }
}

/** A command list continues, and nobody knows whether `cd` worked. */
export function settle(scope: Scope) {
  if (scope.directories === undefined || scope.left.length === 0) return
  const all = [...new Set([...scope.left, ...scope.directories])]
  scope.directories = all.length > mostDirectories ? undefined : all
  scope.left = []
}

export function joined(directory: string, path: string, { findings }: Scope): string {
  if (path.startsWith('/') || directory === '') return path
  const parts = directory.split('/')
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && !['..', '', '.'].includes(parts.at(-1) ?? '')) {
      findings.plan.left.push(parts.join('/'))
      parts.pop()
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/') || '.'
}

/** `//a/./b` is `/a/b`. What `..` leads to depends on links, so it stays. */
const short = (path: string): string => path.replace(/\/(?:\.?\/)+/g, '/')

const isSystem = (path: string): boolean => /^\/(?:usr|bin|sbin|lib|lib64|nix)\//.test(path) && !path.includes('..')

/** Whose names lead anywhere, such as `/proc/self/cwd`. */
const isKernels = (path: string): boolean => /^\/(?:dev|proc)(?:\/|$)/.test(path)

/** Notes a file whose content would run. */
export function runsFile(scope: Scope, path: string | undefined, by: string) {
  if (path === undefined) return unclear(scope, `the file that ${by} runs is computed`)
  if (path === '-') return unclear(scope, `what ${by} reads from its input cannot be seen`)
  const from = path.startsWith('/') ? [''] : scope.directories
  if (from === undefined) return unclear(scope, `it isn’t clear in which directory ${path} runs`)
  for (const directory of from) {
    if (directory !== '') scope.findings.plan.moves = true
    const file = joined(directory, path, scope)
    // The plan shows a relative path as it was written.
    const where = file.startsWith('/') ? short(file) : file
    if (isKernels(where) || isKernels(short(directory))) unclear(scope, `what ${by} reads from ${path} cannot be seen`)
    else if (!isSystem(where)) scope.findings.plan.runs.push(where)
  }
}

export type Code = CommandPlan['invocations'][number]['code']

/** Inspects one program: it may inspect the commands inside, and returns whether that is all there is to it. */
export type ProgramReader = (call: Call, scope: Scope, program: string, code: Code) => 'replaced' | undefined
