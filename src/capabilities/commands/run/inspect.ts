import type { Inspection } from '../../../domain/inspection.ts'
import { plainCommands } from '../../../kit/shell/plain.ts'
import { planOf } from '../../../kit/shell/plan.ts'
import type { CommandPlan, Invocation } from '../../../kit/shell/plan-types.ts'
import { insidePath } from '../../../programs/inside-path.ts'
import { companionsOf, otherNames } from './alongside.ts'
import { type Imports, importsOf, isUnfollowed, scriptImports } from './imports.ts'
import { isRunAs, isShell, readsFile } from './shells.ts'
import { unseenIn } from './unseen.ts'

/** A command line or script that a call gives to bash. */
export function inspectLine(line: string, directory: string): Inspection {
  return { ...inspectPlan(line, directory), plain: plainCommands(line, directory), whole: line }
}

/**
 * What a command line would do, for the policy. Each place outside the workspace that it writes to is a subject of its
 * own.
 */
function inspectPlan(text: string, directory: string): Inspection {
  const plan = planOf(text)
  const inside = insidePath(directory)
  const commands = plan.invocations.map(({ text }) => text)
  const writes = plan.redirections.flatMap(({ operator, target }) =>
    isHarmless(target) ? [] : [`${operator} ${target ?? '(computed)'}`],
  )
  const placed = (path: string) => (inside === '' || path.startsWith('/') ? path : `${inside}/${path}`)
  const runs = plan.runs.map(placed)
  const inline = inlineImports(plan, placed)
  return {
    subjects: [...commands, ...writes],
    settled: isSettled(plan),
    unclear: [
      ...plan.unclear,
      ...plan.invocations.flatMap(({ code }) => code.flatMap(inlineCode)),
      ...inline.flatMap(({ unclear }) => unclear),
      ...runs.filter(isElsewhere).map((path) => `what ${path} does is not known, because it isn’t in the workspace`),
    ],
    unseen: unseenIn(plan, text),
    plan,
    runs,
    left: plan.left.map(placed),
    alongside: [
      ...runs.flatMap(companionsOf),
      ...otherNames(runs, plan.invocations),
      ...inline.flatMap(({ alongside }) => alongside),
    ],
    directory: inside,
  }
}

/** How many texts of JavaScript are followed, each time once for each folder that it may run in. */
const mostTexts = 10

function inlineImports({ invocations }: CommandPlan, placed: (path: string) => string): Imports[] {
  const texts = invocations
    .flatMap(({ code }) => code)
    .flatMap(({ text = '', from = [] }) => from.map((folder) => ({ text, folder })))
  const rest = { alongside: [], unclear: [`more than ${mostTexts} texts of JavaScript run, and not all are followed`] }
  return [
    ...texts.slice(0, mostTexts).map(({ text, folder }) => scriptImports(placed(folder), text)),
    ...(texts.length > mostTexts ? [rest] : []),
  ]
}

/** Neither in the workspace, nor the system's, nor in a folder that is empty when the command starts. */
const isElsewhere = (path: string): boolean =>
  path.startsWith('/') &&
  !path.startsWith('/workspace/') &&
  (path.includes('..') || !/^\/(?:etc|home\/bobbin|tmp|packages|node_modules)\//.test(path))

/** Whether the same line does the same thing every time: nothing in it is computed or read from somewhere. */
const isSettled = ({ invocations, redirections }: CommandPlan): boolean =>
  redirections.every(({ operator, target }) => target !== undefined && !operator.startsWith('<')) &&
  invocations.every(({ program, args }) => !args.includes(undefined) && !/^(xargs|parallel|find|fd)$/.test(program))

/** A place in the workspace, the command's own /tmp, or another of its descriptors. */
function isHarmless(target: string | undefined): boolean {
  if (target === undefined) return false
  if (/^(\d+|-|\/dev\/(null|stdout|stderr))$/.test(target)) return true
  if (target.split('/').includes('..')) return false
  return !target.startsWith('/') || target.startsWith('/tmp/') || target.startsWith('/workspace/')
}

/**
 * Languages that are inspected elsewhere: the parser knows what awk and sed may run, and patterns know what SQL
 * destroys.
 */
const lookedAt = new Set(['bash', 'sh', 'sql', 'awk', 'sed', 'jq'])

const inlineCode = ({ language }: { language: string }): string[] =>
  lookedAt.has(language.toLowerCase()) ? [] : [`what the ${language} code in it does is not known`]

/** What a build tool runs is up to the project; a person reads it on the card. */
const buildFile = /(^|\/)(package\.json|makefile|gnumakefile|\.npmrc|\.yarnrc(\.yml)?|pnpm-workspace\.yaml)$/i

const packageFile = /(^|\/)package\.json$/

/** It is only read for which of a folder's files is loaded, and those aren't followed. */
const isOfImport = (path: string, { runs = [], plan }: Inspection): boolean =>
  packageFile.test(path) &&
  (path.includes('node_modules/') || !(runs.some((run) => packageFile.test(run)) || plan?.invocations.some(readsFile)))

const byShebang = /^#![^\n]{0,100}\b(?:ba|da|k)?sh\b/

/** What a shell doesn't read, unless it is told to. */
const isOther = (path: string, text: string): boolean =>
  /\.(?:py|[cm]?[jt]sx?)$/i.test(path) || isUnfollowed(path) || (text.startsWith('#!') && !byShebang.test(text))

/**
 * A file that a command line runs. Where a shell may read it, it is inspected as bash, whatever its name. What files in
 * other languages do isn't known.
 */
export function inspectScript(path: string, text: string, call: Inspection): Inspection | undefined {
  if (isOfImport(path, call)) return { subjects: [], unclear: [`what the package of ${path} does is not known`] }
  const { plan, directory = '' } = call
  const other = isOther(path, text)
  const uses = (pattern: (one: Invocation) => boolean) => plan?.invocations.some(pattern) === true
  const isRead =
    uses(other ? readsFile : isShell) || byShebang.test(text) || (/\.(?:ba)?sh$/.test(path) && !text.startsWith('#!'))
  const isBash = isRead || uses((one) => isRunAs(one, path, text))
  if (!isBash && buildFile.test(path)) return undefined
  const { alongside, unclear, imports } = importsOf(path, text)
  const unknown = [`what ${path} does is not known before it runs`, ...unclear]
  if (!isBash) return { subjects: [], unclear: unknown, alongside, imports }
  const own = inspectPlan(text, directory)
  const isNamed = path.includes('.') || text.startsWith('#!')
  if (!other && isRead) return isNamed ? own : { ...own, alongside: [...(own.alongside ?? []), ...alongside] }
  return { ...own, unclear: [...own.unclear, ...unknown], alongside: [...(own.alongside ?? []), ...alongside], imports }
}
