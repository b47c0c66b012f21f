import { posix } from 'node:path'
import type { Alongside } from '../../../domain/inspection.ts'
import type { Invocation } from '../../../kit/shell/plan-types.ts'
import { otherFiles } from './imports.ts'

/** Files that programs read on their own, beside the one they are known to run, by name. */
const companions: Record<string, string[]> = {
  // GNU make takes the first of these.
  Makefile: ['GNUmakefile', 'makefile'],
  'package.json': ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'pnpm-workspace.yaml'],
}

/** What is read beside a file that a command runs, if it exists. */
export const companionsOf = (path: string): Alongside[] =>
  (companions[posix.basename(path)] ?? []).map((name) => ({ path: posix.join(posix.dirname(path), name) }))

/** Programs that try several endings for the script that they are given. */
const isNode = ({ program }: Invocation): boolean => /^(node|nodejs|bun|deno|tsx|ts-node)-?[\d.]*$/.test(program)

const isGawk = ({ program }: Invocation): boolean => /^g?awk$/.test(program)

/** What else a command line may run in place of these files, if they aren't there. */
export const otherNames = (runs: string[], invocations: Invocation[]): Alongside[] => [
  ...(invocations.some(isNode) ? runs.flatMap(otherFiles) : []),
  ...(invocations.some(isGawk) ? runs.map((path) => ({ path: `${path}.awk` })) : []),
]
