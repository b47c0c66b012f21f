import { posix } from 'node:path'
import type { Alongside } from '../../../domain/inspection.ts'
import type { Invocation } from '../../../kit/shell/plan-types.ts'

/** Files that programs read on their own, beside the one they are known to run, by name. */
const companions: Record<string, string[]> = {
  // GNU make takes the first of these.
  Makefile: ['GNUmakefile', 'makefile'],
  'package.json': ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'pnpm-workspace.yaml'],
}

/** What is read beside a file that a command runs, if it exists. */
export const companionsOf = (path: string): Alongside[] =>
  (companions[posix.basename(path)] ?? []).map((name) => ({ path: posix.join(posix.dirname(path), name) }))

/** The endings that Node and the like try for a name. */
const endings = ['.js', '.mjs', '.cjs', '.ts', '.json', '/index.js']

const hasEnding = (name: string): boolean => /\.([cm]?[jt]sx?|json)$/.test(name)

/** Programs that try them for the script that they are given. */
const isNode = ({ program }: Invocation): boolean => /^(node|nodejs|bun|deno|tsx|ts-node)-?[\d.]*$/.test(program)

/** What `node path` runs if `path` itself isn't a file. */
const nodeNames = (path: string): Alongside[] =>
  hasEnding(path) ? [] : endings.map((end) => ({ path: `${path}${end}` }))

const isGawk = ({ program }: Invocation): boolean => /^g?awk$/.test(program)

/** What else a command line may run in place of these files, if they aren't there. */
export const otherNames = (runs: string[], invocations: Invocation[]): Alongside[] => [
  ...(invocations.some(isNode) ? runs.flatMap(nodeNames) : []),
  ...(invocations.some(isGawk) ? runs.map((path) => ({ path: `${path}.awk` })) : []),
]

/** How many names in one file are followed. */
const mostNames = 100

/** What a Python or JavaScript file imports from its own folder, as far as its text shows. */
export function importsOf(path: string, text: string): Alongside[] {
  const folder = posix.dirname(path)
  if (isPython(path, text)) {
    return pythonNames(text).map((name) => ({ path: posix.join(folder, `${name}.py`), module: `${name}.py` }))
  }
  return relativeNames(text)
    .flatMap((name) => (hasEnding(name) ? [name] : endings.map((end) => `${name}${end}`)))
    .map((name) => posix.join(folder, name))
    .filter((one) => !one.startsWith('../'))
    .map((one) => ({ path: one }))
}

export const isPython = (path: string, text: string): boolean => /\.py$/i.test(path) || /^#!.*\bpython/.test(text)

function pythonNames(text: string): string[] {
  const names = new Set<string>()
  for (const [, imported, from] of text.matchAll(
    /^[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+(\w+)(?:\.[\w.]*)?[ \t]+import\b)/gm,
  )) {
    const all = from === undefined ? (imported ?? '').split(',') : [from]
    for (const one of all) names.add(/^\s*([A-Za-z_]\w*)/.exec(one)?.[1] ?? '')
  }
  names.delete('')
  return [...names].slice(0, mostNames)
}

const relativeNames = (text: string): string[] =>
  [
    ...new Set(
      [...text.matchAll(/\b(?:from|import|require)\s*(?:\(\s*)?['"](\.{1,2}\/[^'"\n]{1,200})['"]/g)].map(
        ([, name = '']) => name,
      ),
    ),
  ]
    .filter((name) => !name.includes('\\'))
    .slice(0, mostNames)
