import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { Alongside } from '../../../domain/inspection.ts'
import type { Invocation } from '../../../kit/shell/plan-types.ts'
import { insidePath } from '../../../programs/inside-path.ts'

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
  return scriptImports(folder, text)
}

/** What JavaScript that runs in a folder imports by a path, or as a package that isn't installed but lies there. */
export function scriptImports(folder: string, text: string): Alongside[] {
  const names = namesIn(text)
  const files = names
    .filter((name) => /^[./]/.test(name))
    .flatMap((name) => (hasEnding(name) ? [name] : endings.map((end) => `${name}${end}`)))
    .map((name) => (name.startsWith('/') ? name : posix.join(folder, name)))
  const packages = names.filter((name) => /^[\w@]/.test(name) && !isBuiltin(name))
  return [...files, ...packageFolders(folder).flatMap((at) => packages.flatMap((name) => ofPackage(at, name)))]
    .filter((one) => !one.startsWith('../'))
    .map((path) => ({ path }))
}

/** Where Node looks for a package, as far as tools may write there unasked. */
function packageFolders(folder: string): string[] {
  const parts = posix.normalize(insidePath(folder)).split('/').filter(Boolean)
  if (parts[0] !== 'temp' && parts[0] !== 'outputs') return []
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/node_modules`)
}

function ofPackage(folder: string, name: string): string[] {
  const [own = ''] = /^(?:@[^/]*\/)?[^/]*/.exec(name) ?? []
  const files = hasEnding(name) && name !== own ? [name] : [`${name}.js`, `${name}/index.js`]
  return [`${own}/package.json`, ...files].map((file) => `${folder}/${file}`)
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

/** The literal names that JavaScript imports; those in the workspace as paths. */
const namesIn = (text: string): string[] =>
  [
    ...new Set(
      [
        ...text.matchAll(
          /\b(?:from|import|require)\s*(?:\(\s*)?(['"`])((?:\.{1,2}\/|\/|file:\/\/\/|[\w@])[^'"`\n]{0,200})\1/g,
        ),
      ].map(([, , name = '']) => name.replace(/^file:\/\//, '')),
    ),
  ]
    .filter((name) => !/[\\$]/.test(name) && (!name.startsWith('/') || name.startsWith('/workspace/')))
    .slice(0, mostNames)
