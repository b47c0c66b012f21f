import type { CommandPlan } from '../domain/command.ts'
import { BobbinError } from '../domain/errors.ts'
import type { Inspection } from '../domain/inspection.ts'
import type { Tool } from '../domain/tool.ts'
import type { Workspace } from '../domain/workspace.ts'
import { spelledOnce } from './spelled.ts'

export interface Bound {
  pinned: { path: string; bytes: Uint8Array }[]
  /** What the hash is made of: also that a file is not there. */
  parts: (string | Uint8Array)[]
}

/**
 * The files that a call runs, as they are now. Programs of the system are nobody's to change. Throws `not_bound` for what
 * cannot be held fast: it could be something else after it was approved.
 */
export async function bind(
  paths: string[],
  { workspace, fileBytes }: { workspace: Workspace; fileBytes: number },
): Promise<Bound> {
  const bound: Bound = { pinned: [], parts: [] }
  const own = paths.map((path) => path.replace(/^\/workspace\//, '')).filter((path) => !path.startsWith('/'))
  for (const path of new Set(own.map((path) => spelledOnce(workspace, path)))) {
    try {
      const bytes = await workspace.read(path, fileBytes)
      bound.pinned.push({ path, bytes })
      bound.parts.push(path, bytes)
    } catch (thrown) {
      if (!(thrown instanceof BobbinError)) throw thrown
      if (thrown.code !== 'not_found') throw notBound(path, thrown)
      bound.parts.push(path, thrown.code)
    }
  }
  return bound
}

const notBound = (path: string, cause: BobbinError): BobbinError =>
  new BobbinError(
    'not_bound',
    `${path} cannot be run: ${cause.message.replace(/\.$/, '')}, so it could be something else once it was approved.`,
    'Run a file of the workspace itself, no link.',
    { cause },
  )

/** What a call does, with what the scripts do that it runs. */
export function together(tool: Tool, own: Inspection, pinned: Bound['pinned']): Inspection {
  if (tool.inspectFile === undefined) return own
  const scripts = pinned.flatMap(({ path, bytes }) => tool.inspectFile?.(path, Buffer.from(bytes).toString()) ?? [])
  if (scripts.length === 0) return own
  const plans = [own, ...scripts].flatMap(({ plan }) => plan ?? [])
  const all = <Key extends keyof CommandPlan>(key: Key) =>
    plans.flatMap((plan) => plan[key] as unknown[]) as CommandPlan[Key]
  return {
    ...own,
    subjects: [own, ...scripts].flatMap(({ subjects }) => subjects),
    // A pattern for the line that runs a script says nothing of what is in it.
    wider: [],
    unclear: [own, ...scripts].flatMap(({ unclear }) => unclear),
    plan: {
      invocations: all('invocations'),
      redirections: all('redirections'),
      runs: all('runs'),
      paths: all('paths'),
      hosts: all('hosts'),
      unclear: all('unclear'),
    },
  }
}
