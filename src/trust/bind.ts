import { posix } from 'node:path'
import type { Alongside, Inspection, Pinned } from '../domain/inspection.ts'
import type { Tool } from '../domain/tool.ts'
import type { Workspace } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'
import { countMakers, madeAndRun } from '../kit/shell/makers.ts'
import type { CommandPlan } from '../kit/shell/plan-types.ts'
import { throwOutage } from '../kit/unavailable.ts'
import { inWorkspace, tablePath } from '../workspace/table-path.ts'
import { trustWords } from './words.ts'

/** What a call does, including the files it runs, and which contents that holds for. */
export interface Bound {
  inspection: Inspection
  pinned: Pinned[]
  /** What the hash is made of. A missing file is part of it too. */
  parts: (string | Uint8Array)[]
}

interface BindDeps {
  workspace: Workspace
  /** Largest file a call may run, in bytes. */
  fileBytes: number
}

/** Scripts that run other scripts are followed up to this many files. */
const mostFiles = 50
/** Names that are looked up; most of these files may not exist. */
const mostNames = 1_000
/** Characters of shell scripts that are followed in all, and how many are enough to tell a file's language. */
const mostFollowed = 65_536
const beginning = 200
/** How many files beside a script count as possible imports. */
const mostBeside = 200
const code = /\.(py|mjs|cjs|js|jsx|ts|mts|tsx|rb|pl|pm|php|lua|r|jl|tcl)$/i

/**
 * Finds the files a call runs, and the files those run, as they are now. Programs of the system aren't included,
 * because nobody here can change them. Throws `not_bound` for a file that could be replaced after the approval, and
 * Unavailable in an outage, in which nothing is known of a file.
 */
export async function bind(tool: Tool, own: Inspection, deps: BindDeps): Promise<Bound> {
  const bound: Bound = { inspection: own, pinned: [], parts: [] }
  const scripts: Inspection[] = []
  const known = new Set<string>()
  const there = new Map<string, boolean>()
  const certain = new Set<string>()
  const unread: [path: string, state: string][] = []
  let left = mostFollowed
  let isAstray = own.plan?.moves === true
  const waiting = await lookedFor(own, there, deps)
  // Where there is nothing yet, only `mkdir` can make something before the one program that runs.
  scripts.push(...(await linked(own, bound, deps, countMakers(own.plan) < 2)))
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, module, isData } = next
    if (next.isCertain) certain.add(path)
    const key = isData ? `${path}/` : path
    if (known.has(key)) continue
    known.add(key)
    if (bound.pinned.length >= mostFiles || known.size > mostNames) {
      scripts.push({ subjects: [], unclear: [trustWords.runsTooManyFiles({ most: mostFiles })] })
      break
    }
    const bytes = isData ? await kindOf(path, deps) : await read(path, deps).catch((thrown) => ofPackage(next, thrown))
    bound.parts.push(path, bytes)
    if (typeof bytes === 'string') {
      unread.push([path, bytes])
      continue
    }
    bound.pinned.push({ path, bytes, ...(module !== undefined && { module }) })
    const text = Buffer.from(bytes).toString()
    const isTooLong = text.length > left && tool.inspectFile?.(path, text.slice(0, beginning), own)?.plan !== undefined
    const script = tool.inspectFile?.(path, isTooLong ? text.slice(0, beginning) : text, own)
    if (script === undefined) continue
    // Where a script starts isn't followed, so what it names may be another file there.
    const [astray] = isAstray ? (script.plan?.runs ?? []).filter((run) => !run.startsWith('/')) : []
    if (astray !== undefined) scripts.push({ subjects: [], unclear: [trustWords.unclearWhere({ path: astray })] })
    isAstray ||= script.plan?.moves === true
    scripts.push(script, ...(await linked(script, bound, deps)))
    if (isTooLong) scripts.push({ subjects: [], unclear: [trustWords.scriptTooLong({ path })] })
    if (script.plan !== undefined) left -= text.length
    waiting.push(...(await lookedFor(script, there, deps)))
    if (script.imports) bound.parts.push(...(await beside(path, deps)))
  }
  scripts.push(...sourced([own, ...scripts]))
  const whole = together(own, scripts)
  const mayBeMade = maybeMade(own, scripts, whole, deps)
  const unclear = unread.flatMap(([path, state]) => {
    if (state === 'other' || state === 'unknown') return trustWords.unclearPackage({ path })
    if (!certain.has(path)) return []
    if (state !== 'not_found') return trustWords.unclearFolder({ path })
    return mayBeMade(path) ? trustWords.unclearMissing({ path }) : []
  })
  if (whole.plan !== undefined) unclear.push(...madeAndRun(whole.plan))
  if (unclear.length === 0) return { ...bound, inspection: whole }
  return { ...bound, inspection: { ...whole, unclear: [...new Set([...whole.unclear, ...unclear])] } }
}

/** One program may make what another runs, such as an archive's file, but not what it runs itself. */
function maybeMade(own: Inspection, scripts: Inspection[], whole: Inspection, deps: BindDeps) {
  const inScripts = new Set(scripts.flatMap((script) => pathsOf(script, deps).map(({ path }) => path)))
  return (path: string) => countMakers((inScripts.has(path) ? whole : own).plan) > 1
}

/** What `source` runs may leave its caller in another folder, so what is run there besides it may be another file. */
function sourced(every: Inspection[]): Inspection[] {
  const runs = (pattern: RegExp) => (one: Inspection) =>
    one.plan?.invocations.some(({ program }) => pattern.test(program)) === true
  if (!every.some(runs(/^(?:source|\.)$/)) || !every.slice(1).some(runs(/^(?:cd|pushd|popd)$/))) return []
  const paths = new Set(every.flatMap(({ plan }) => plan?.runs ?? []).filter((path) => !path.startsWith('/')))
  if (paths.size < 2) return []
  return [{ subjects: [], unclear: [...paths].map((path) => trustWords.unclearWhere({ path })) }]
}

/**
 * A path that leaves a folder with `..` is only clear if the folder is no link. Whether it is one is part of the hash.
 */
async function linked(
  { runs = [], left = [] }: Inspection,
  bound: Bound,
  deps: BindDeps,
  mayBeNew = false,
): Promise<Inspection[]> {
  if (runs.length === 0) return []
  if (left.length > mostNames) return [{ subjects: [], unclear: [trustWords.runsTooManyFiles({ most: mostFiles })] }]
  const unclear: string[] = []
  for (const folder of left) {
    const path = inWorkspace(folder)
    const kind = await kindOf(path, deps)
    bound.parts.push(path, kind)
    if (kind !== 'directory' && !(mayBeNew && kind === 'not_found')) unclear.push(trustWords.unclearUp({ path }))
  }
  return unclear.length === 0 ? [] : [{ subjects: [], unclear }]
}

/** `isCertain`: it is itself run. */
const pathsOf = (
  { runs = [], alongside = [] }: Inspection,
  { workspace }: BindDeps,
): (Alongside & { isCertain?: boolean })[] =>
  [...runs.map((path) => ({ path, isCertain: true })), ...alongside]
    .map((one) => ({ ...one, path: inWorkspace(one.path) }))
    .filter(({ path }) => !path.startsWith('/'))
    .map((one) => ({ ...one, path: tablePath(workspace, one.path) }))

/** Packages are left out where there are none, so that few are kept waiting. */
async function lookedFor(one: Inspection, there: Map<string, boolean>, deps: BindDeps) {
  const found: ReturnType<typeof pathsOf> = []
  for (const next of pathsOf(one, deps)) {
    if (next.within === undefined || (await isThere(next.within, there, deps))) found.push(next)
  }
  return found
}

/** Looked up once for all that may be in the folder. What can't be looked at may be there. */
async function isThere(folder: string, there: Map<string, boolean>, deps: BindDeps): Promise<boolean> {
  const known = there.get(folder)
  if (known !== undefined) return known
  const found = (await kindOf(folder, deps)) !== 'not_found'
  there.set(folder, found)
  return found
}

const kindOf = (path: string, { workspace }: BindDeps) =>
  workspace.stat(path).then(
    (entry) => entry?.kind ?? 'not_found',
    (thrown) => {
      throwOutage(thrown)
      return 'unknown'
    },
  )

/** Its content, or what is there instead of a file. */
async function read(path: string, deps: BindDeps): Promise<Uint8Array | string> {
  try {
    return await deps.workspace.read(path, deps.fileBytes)
  } catch (thrown) {
    throwOutage(thrown)
    if (!(thrown instanceof Failure)) throw thrown
    // Below a file there is nothing. A link on the way is refused instead.
    if (thrown.code === 'not_found' || thrown.code === 'not_a_folder') return thrown.code
    if (thrown.code === 'not_a_file' && (await kindOf(path, deps)) === 'directory') return 'directory'
    throw new Failure(
      'not_bound',
      trustWords.scriptNotBound({ path, why: thrown.message.replace(/\.$/, '') }),
      trustWords.scriptNotBoundRemedy(),
      { cause: thrown },
    )
  }
}

/** Package managers link packages, and bundle them into large files. */
function ofPackage({ within }: Alongside, thrown: unknown): string {
  if (within === undefined || !(thrown instanceof Failure) || thrown.code !== 'not_bound') throw thrown
  return 'unknown'
}

/**
 * The files a script may import from its own folder. If one changes, approval is asked again, but they aren't locked
 * during the run.
 */
async function beside(path: string, deps: BindDeps): Promise<(string | Uint8Array)[]> {
  const parts: (string | Uint8Array)[] = []
  for await (const entry of deps.workspace.walk(posix.dirname(path))) {
    if (entry.path === path || !code.test(entry.path)) continue
    if (parts.length >= 2 * mostBeside) break
    parts.push(entry.path, (await read(entry.path, deps).catch(throwOutage)) ?? 'not_found')
  }
  return parts
}

/** Joins a call with the scripts it runs, because the command line alone doesn't say what is in them. */
function together(own: Inspection, scripts: Inspection[]): Inspection {
  if (scripts.length === 0) return own
  const every = [own, ...scripts]
  const plans = every.flatMap(({ plan }) => plan ?? [])
  const all = <Key extends keyof CommandPlan>(key: Key) =>
    plans.flatMap((plan) => plan[key] as unknown[]) as CommandPlan[Key]
  return {
    ...own,
    subjects: every.flatMap(({ subjects }) => subjects),
    plain: undefined,
    ours: every.every(({ ours }) => ours === true),
    unseen: [...new Set(every.flatMap(({ unseen = [] }) => unseen))],
    unclear: [...new Set(every.flatMap(({ unclear }) => unclear))],
    plan: {
      invocations: all('invocations'),
      redirections: all('redirections'),
      runs: all('runs'),
      left: all('left'),
      moves: plans.some(({ moves }) => moves),
      paths: all('paths'),
      hosts: all('hosts'),
      unclear: all('unclear'),
    },
  }
}
